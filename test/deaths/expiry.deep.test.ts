import { expect, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import { dayMs, startCampaign } from './campaign/campaign.ts'
import { create, get, idOf } from './campaign/client.ts'

test('the next server deletes the row of an expired job when a server was killed between the deletes of its files and of its row', async () => {
  const campaign = await startCampaign(onTestFinished, { speed: 20 })
  const first = campaign.start()
  const id = idOf(await create(campaign, first, { prompt: 'the one', outputs: 2 }))
  await until(() => campaign.job(id)?.phase === 'completed')
  await campaign.settled()
  expect(campaign.fileNames()).toHaveLength(2)
  await first.kill()
  // A process believes its clock after an hour, which lasts 4 s.
  campaign.setClock(7 * dayMs, 900)
  const mortal = campaign.start({ killAt: 'before a row is deleted' })
  expect(await mortal.ended).toBe('SIGKILL')
  expect(campaign.fileNames()).toEqual([])
  expect(campaign.job(id)).toMatchObject({ phase: 'completed' })

  const next = campaign.start()
  await until(() => campaign.jobs().length === 0)
  expect((await get(campaign, next, `/v1/jobs/${id}`)).status).toBe(404)
})
