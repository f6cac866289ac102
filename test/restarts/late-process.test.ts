import { expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import type { Wanted } from './world/world.ts'
import { idOf, startWorld, until } from './world/world.ts'

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
  'a process that is stopped over %s, beyond its lease, changes nothing of what another made of its job, but for the one end that nobody could know',
  async (trial, { onTestFinished }) => {
    const [, kind, wanted, end] = trial
    const answer = Promise.withResolvers<void>()
    let held = 0
    const world = await startWorld(onTestFinished, {
      speed,
      delays: { answer: (call) => (call.kind === kind && held++ === 0 ? answer.promise : undefined) },
    })
    const { vendor } = world
    const late = world.start()
    const id = idOf(await world.create(late, { ...wanted, prompt: 'the one' }))
    await until(() => held > 0)
    await late.freeze()
    // The answer waits for the process in its socket.
    answer.resolve()

    const other = world.start()
    await until(() => world.job(id)?.phase === end.phase)
    await world.settled()
    const row = world.row(id)
    const { text } = await world.get(other, `/v1/jobs/${id}`)
    const files = world.fileNames()
    expect(JSON.parse(text)).toMatchObject({
      status: end.phase,
      cost_usd: end.phase === 'failed' ? 0 : vendor.ledger[0]?.costUsd,
    })
    expect(vendor.ledger).toHaveLength(1)

    late.thaw()
    await late.heard(`late ${id}`)
    if (trial === unaskable) await until(() => world.job(id)?.phase === 'completed')
    await other.kill()
    const next = await world.create(late, { prompt: 'another one', task_ms: 50 }, { wait: true })
    expect([next.status, JSON.parse(next.text)]).toMatchObject([200, { status: 'completed' }])
    await world.settled()

    if (trial === unaskable) {
      expect(world.job(id)).toMatchObject({ phase: 'completed', costUsd: vendor.ledger[0]?.costUsd })
      return expect(vendor.ledger).toHaveLength(2)
    }
    expect(world.row(id)).toBe(row)
    expect((await world.get(late, `/v1/jobs/${id}`)).text).toBe(text)
    expect(world.fileNames()).toEqual(expect.arrayContaining([...files]))
    expect(vendor.ledger).toHaveLength(2)
  },
)
