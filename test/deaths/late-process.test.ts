import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { rowInFile } from './audit/stored-jobs.ts'
import { startCampaign } from './campaign/campaign.ts'
import { create, get, idOf, type Wanted } from './campaign/client.ts'
import { readDiary } from './service/diary.ts'

/** At this speed a submit has 12 seconds of the system's clock, so a busy machine gives up no call. */
const speed = 5

/** During which call the process is stopped, and the request of the job. */
type Case = readonly [string, 'submit' | 'poll', Omit<Wanted, 'prompt'>]
const cases: readonly Case[] = [
  ['a poll that tells the end', 'poll', { task_ms: 20, poll_after_ms: 4000 }],
  ['a poll that brings bytes', 'poll', { task_ms: 20, poll_after_ms: 4000, as: 'bytes' }],
  ['a poll that brings old news', 'poll', { task_ms: 1000, poll_after_ms: 200 }],
  ['a submit that can be found', 'submit', { model: 'find', task_ms: 20 }],
  ['a submit that is free to repeat', 'submit', { model: 'dedupe' }],
]

test.concurrent.for(cases)(
  'a server that was frozen beyond its lease during %s changes nothing in the job that another server has finished since',
  async ([, kind, wanted], { onTestFinished }) => {
    const answer = Promise.withResolvers<void>()
    let held = 0
    const campaign = await startCampaign(onTestFinished, {
      speed,
      delays: { answer: (call) => (call.kind === kind && held++ === 0 ? answer.promise : undefined) },
    })
    const { vendor } = campaign
    const late = campaign.start()
    const id = idOf(await create(campaign, late, { ...wanted, prompt: 'the one' }))
    await until(() => held > 0)
    await late.freeze()
    // The answer waits for the process in its socket.
    answer.resolve()

    const other = campaign.start()
    await until(() => campaign.job(id)?.phase === 'completed')
    await campaign.settled()
    const row = rowInFile(campaign.places.database, id)
    const { text } = await get(campaign, other, `/v1/jobs/${id}`)
    const files = campaign.fileNames()
    expect(JSON.parse(text)).toMatchObject({
      status: 'completed',
      cost_usd: vendor.ledger[0]?.costUsd,
    })
    expect(vendor.ledger).toHaveLength(1)

    late.thaw()
    await until(() =>
      readDiary(campaign.places.diary).some(
        (entry) => entry.what === 'stale write' && entry.jobId === id && entry.pid === late.pid,
      ),
    )
    await other.kill()
    const next = await create(campaign, late, { prompt: 'another one', task_ms: 50 }, { wait: true })
    expect([next.status, JSON.parse(next.text)]).toMatchObject([200, { status: 'completed' }])
    await campaign.settled()

    expect(rowInFile(campaign.places.database, id)).toBe(row)
    expect((await get(campaign, late, `/v1/jobs/${id}`)).text).toBe(text)
    expect(campaign.fileNames()).toEqual(expect.arrayContaining([...files]))
    expect(vendor.ledger).toHaveLength(2)
  },
)

test.concurrent('no other server fails a job while the server that waits for the answer to its submit is frozen beyond its lease, and that server completes the job', async ({
  onTestFinished,
}) => {
  const answer = Promise.withResolvers<void>()
  const campaign = await startCampaign(onTestFinished, {
    speed,
    delays: { answer: ({ kind }) => (kind === 'submit' ? answer.promise : undefined) },
  })
  const late = campaign.start()
  const id = idOf(await create(campaign, late, { prompt: 'the one' }))
  await until(() => campaign.vendor.ledger.length === 1)
  await late.freeze()
  answer.resolve()
  const frozen = campaign.job(id)!
  campaign.start()
  // The other server has taken the job up, by a claim, and waits, because it knows nobody whom it could ask.
  await until(() => campaign.job(id)!.revision >= frozen.revision + 2)
  late.thaw()
  await until(() => campaign.job(id)?.phase === 'completed')
  const writes = readDiary(campaign.places.diary).filter((entry) => entry.what === 'write')
  expect(writes.filter(({ phase }) => phase === 'failed')).toEqual([])
  expect(campaign.vendor.ledger).toHaveLength(1)
})
