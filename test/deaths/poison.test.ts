import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { startCampaign } from './campaign/campaign.ts'
import { createJobOn, createKeyedJob, get } from './campaign/client.ts'
import {
  areSubmitted,
  createOthers,
  expectAllWell,
  poisonFirst,
  speed,
  supervise,
  wish,
} from './poisoned-servers.ts'
import { serviceOrigin } from './service/server-settings.ts'
import { vendorOrigin } from './vendor/vendor-file.ts'

// The deep suite has a job that crashes each server that polls it.
test.concurrent('a job that kills each server that submits it fails as submit_ambiguous after five kills, and is paid for once', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed })
  const server = campaign.start()
  const others = await createOthers(campaign, server, 0)
  const poisonous = { ...wish, prompt: 'poison', poison: 'submit' } as const
  await createJobOn(campaign, server, { owner: 'alice', model: 'dedupe', wish: poisonous })

  expect(await supervise(campaign, server, 'SIGKILL')).toBe(5)
  const job = campaign.jobs().find(({ owner }) => owner === 'alice')
  expect(job?.error?.code).toBe('submit_ambiguous')
  expect(campaign.vendor.ledger.filter(({ order }) => order.job_id === job?.id)).toHaveLength(1)
  expectAllWell(campaign, others)
})

test.concurrent('an output that crashes each server that copies it stays at the provider after five crashes, and all other outputs are copied', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed, delays: { answer: poisonFirst('file') } })
  const options = { trouble: 'crashes over third outputs' } as const
  const server = campaign.start(options)
  const others = await createOthers(campaign, server, 5)
  const poisonous = { ...wish, prompt: 'poison', outputs: 3 }
  const order = { owner: 'alice', model: 'plain', wish: poisonous } as const
  const { id } = await createKeyedJob(campaign, await server.address, order)
  await until(areSubmitted(campaign))

  expect(await supervise(campaign, server, 1, options)).toBe(5)
  expectAllWell(campaign, others)
  const { outputs, ...job } = campaign.job(id) ?? { outputs: [] }
  expect(job).toMatchObject({ phase: 'completed', costUsd: campaign.vendor.ledger[20]?.costUsd })
  expect(outputs.map(({ url }) => url)).toEqual([0, 1, 2].map((n) => `${vendorOrigin}/files/task-21/${n}`))

  const healed = campaign.start()
  const { data, status } = JSON.parse((await get(campaign, healed, `/v1/jobs/${id}`)).text)
  expect(status).toBe('completed')
  const redirect = await get(campaign, healed, String(data[2].url).replace(serviceOrigin, ''))
  expect(redirect.headers.get('location')).toBe(`${vendorOrigin}/files/task-21/2`)
  expect(campaign.vendor.ledger).toHaveLength(21)
})
