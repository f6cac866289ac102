import { expect } from 'vitest'
import { type FakeFault, lost } from '@genmount/testing'
import { expectDelivery, testInAllStores, testInMemory } from './paid-job-test.ts'

testInMemory(
  'a paid job completes after its vendor did not know the task for ten seconds',
  { vendor: { behave: [{ delayMs: 500, poll: [lost, lost, lost, lost] }], latencyMs: 200 } },
  async (world) => {
    const process = world.start()
    world.start()
    await expectDelivery(world, await world.create(process))
  },
)

testInAllStores(
  'a job whose task stays unknown fails as provider_lost after 5 minutes and one more answer, and not before',
  { vendor: { behave: [{ delayMs: 500, poll: lost }], latencyMs: 200 }, stepMs: 1000 },
  async (world) => {
    const id = await world.create(world.start())
    await world.pass(300_000)
    expect(await world.job(id)).toMatchObject({ phase: 'running' })
    await world.pass(300_000)
    expect(await world.job(id)).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' } })
    expect(world.vendor.polls.length).toBeGreaterThanOrEqual(3)
  },
)

testInAllStores(
  'a paid job completes after ten processes were killed one after the other, each during a poll of the job',
  { vendor: { behave: [{ delayMs: 1000, poll: [] }], latencyMs: 2000 } },
  async (world) => {
    let process = world.start()
    const id = await world.create(process)
    await world.passUntil(async () => (await world.job(id)).phase === 'running')
    for (let death = 0; death < 10; death++) {
      const polls = world.vendor.polls.length
      await world.passUntil(() => world.vendor.polls.length > polls, 15_000)
      process.kill()
      // Each process dies before its lease is over, so each death leaves a claim behind.
      await world.pass(31_000)
      process = world.start()
    }
    await expectDelivery(world, id)
  },
)

testInAllStores(
  'a job whose process was killed during a poll completes when a process starts after the deadline of the job',
  { vendor: { behave: [{ delayMs: 5000 }], latencyMs: 2000 } },
  async (world) => {
    const doomed = world.start()
    const id = await world.create(doomed)
    await world.passUntil(() => world.vendor.polls.length > 0)
    await world.pass(1000)
    expect(await world.job(id)).toMatchObject({ phase: 'running', claim: { until: expect.any(Number) } })
    doomed.kill()
    await world.clock.advance(3_600_000)
    world.start()
    await expectDelivery(world, id)
  },
)

const minuteMs = 60_000
const stillRunning: FakeFault = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 5000 } }

for (const [change, byMs, behaviour] of [
  ['set ahead by an hour', 60 * minuteMs, { delayMs: 30_000, poll: [stillRunning] }],
  ['set ahead by ten minutes', 10 * minuteMs, { delayMs: 20_000 }],
  ['put back by 59 minutes', -59 * minuteMs, { delayMs: 20_000 }],
] as const)
  testInMemory(
    `a running job completes within 5 minutes, with its end after its start, when the clock is ${change}`,
    { vendor: { behave: [behaviour], latencyMs: 200 } },
    async (world) => {
      const process = world.start()
      world.start()
      const id = await world.create(process)
      await world.passUntil(async () => (await world.job(id)).phase === 'running')
      const { startedAt } = await world.job(id)
      world.clock.set(world.clock.now() + byMs)
      await expectDelivery(world, id, 5 * minuteMs)
      const { createdAt, completedAt = 0, ...job } = await world.job(id)
      expect(job.startedAt).toBe(startedAt)
      expect(completedAt).toBeGreaterThanOrEqual(startedAt ?? createdAt)
    },
  )
