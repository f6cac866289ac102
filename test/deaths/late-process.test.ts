import { expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { until } from '../until.ts'
import { rowInFile } from './audit/stored-jobs.ts'
import { startCampaign } from './campaign/campaign.ts'
import { create, get, idOf, type Wanted } from './campaign/client.ts'
import { readDiary } from './service/diary.ts'

/** At this speed a submit has 12 seconds of the system's clock, so a busy machine gives up no call. */
const speed = 5

/** During which call the process is stopped, the request of the job, and the state in which another process ends the job. */
type Case = readonly [string, 'submit' | 'poll', Omit<Wanted, 'prompt'>, Partial<Job>]
const unaskable: Case = ['a submit that nobody can ask about', 'submit', {}, { phase: 'failed' }]
const cases: readonly Case[] = [
  ['a poll that tells the end', 'poll', { task_ms: 20, poll_after_ms: 4000 }, { phase: 'completed' }],
  [
    'a poll that brings bytes',
    'poll',
    { task_ms: 20, poll_after_ms: 4000, as: 'bytes' },
    { phase: 'completed' },
  ],
  ['a poll that brings old news', 'poll', { task_ms: 1000, poll_after_ms: 200 }, { phase: 'completed' }],
  ['a submit that can be found', 'submit', { model: 'find', task_ms: 20 }, { phase: 'completed' }],
  ['a submit that is free to repeat', 'submit', { model: 'dedupe' }, { phase: 'completed' }],
  unaskable,
]

test.concurrent.for(cases)(
  'a server that was frozen beyond its lease during %s changes nothing in the job that another server has finished since, except submit_ambiguous',
  async (trial, { onTestFinished }) => {
    const [, kind, wanted, end] = trial
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
    await until(() => campaign.job(id)?.phase === end.phase)
    await campaign.settled()
    const row = rowInFile(campaign.places.database, id)
    const { text } = await get(campaign, other, `/v1/jobs/${id}`)
    const files = campaign.fileNames()
    expect(JSON.parse(text)).toMatchObject({
      status: end.phase,
      cost_usd: end.phase === 'failed' ? 0 : vendor.ledger[0]?.costUsd,
    })
    expect(vendor.ledger).toHaveLength(1)

    late.thaw()
    await until(() =>
      readDiary(campaign.places.diary).some(
        (entry) => entry.what === 'stale write' && entry.jobId === id && entry.pid === late.pid,
      ),
    )
    if (trial === unaskable) await until(() => campaign.job(id)?.phase === 'completed')
    await other.kill()
    const next = await create(campaign, late, { prompt: 'another one', task_ms: 50 }, { wait: true })
    expect([next.status, JSON.parse(next.text)]).toMatchObject([200, { status: 'completed' }])
    await campaign.settled()

    if (trial === unaskable) {
      expect(campaign.job(id)).toMatchObject({ phase: 'completed', costUsd: vendor.ledger[0]?.costUsd })
      return expect(vendor.ledger).toHaveLength(2)
    }
    expect(rowInFile(campaign.places.database, id)).toBe(row)
    expect((await get(campaign, late, `/v1/jobs/${id}`)).text).toBe(text)
    expect(campaign.fileNames()).toEqual(expect.arrayContaining([...files]))
    expect(vendor.ledger).toHaveLength(2)
  },
)
