import { expect } from 'vitest'
import { type FakeFault, lost } from '@genmount/testing'
import type { PaidJobCases } from './paid-job-cases.ts'
import { expectDelivery } from './expect-delivery.ts'

const minuteMs = 60_000
const stillRunning: FakeFault = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 5000 } }

function clockSetWhileRunning(byMs: number): PaidJobCases[string]['run'] {
  return async (world) => {
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
  }
}

const twentySeconds = { vendor: { behave: [{ delayMs: 20_000 }], latencyMs: 200 } } as const

/** Vendors that do not know a task for a while, processes that die, and clocks that are set. */
export const troubledLifeCases: PaidJobCases = {
  'a paid job completes after its vendor did not know the task for ten seconds': {
    options: { vendor: { behave: [{ delayMs: 500, poll: [lost, lost, lost, lost] }], latencyMs: 200 } },
    async run(world) {
      const process = world.start()
      world.start()
      await expectDelivery(world, await world.create(process))
    },
  },

  'a job fails as provider_lost when its vendor does not know the task in three answers over 15 seconds': {
    options: { vendor: { behave: [{ delayMs: 500, poll: lost }], latencyMs: 200 } },
    async run(world) {
      const id = await world.create(world.start())
      await world.pass(14_000)
      expect(await world.job(id)).toMatchObject({ phase: 'running' })
      await world.pass(30_000)
      expect(await world.job(id)).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' } })
      expect(world.vendor.polls.length).toBeGreaterThanOrEqual(3)
    },
  },

  'a paid job completes after ten processes were killed one after the other, each during a poll of the job': {
    dependsOnStore: true,
    options: { vendor: { behave: [{ delayMs: 1000, poll: [] }], latencyMs: 2000 } },
    async run(world) {
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
  },

  'a running job completes after the clock was set ahead by an hour': {
    options: { vendor: { behave: [{ delayMs: 30_000, poll: [stillRunning] }], latencyMs: 200 } },
    run: clockSetWhileRunning(60 * minuteMs),
  },
  'a running job completes after the clock was set ahead by ten minutes': {
    options: twentySeconds,
    run: clockSetWhileRunning(10 * minuteMs),
  },
  'a running job completes within 5 minutes after the clock was put back by 59 minutes, and its end is after its start':
    {
      options: twentySeconds,
      run: clockSetWhileRunning(-59 * minuteMs),
    },
}
