import { expect } from 'vitest'
import { type FakeFault, lost } from '@genmount/testing'
import type { EnduranceCases } from './endurance-suite.ts'
import { expectDelivery } from './expect-delivery.ts'

const minuteMs = 60_000
const stillRunning: FakeFault = { report: { state: 'running', handle: { fakeTask: 1 }, pollAfterMs: 5000 } }

function clockSetWhileRunning(byMs: number): EnduranceCases[string]['run'] {
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
export const troubledLifeCases: EnduranceCases = {
  'a vendor that does not know a task for ten seconds loses no paid job': {
    options: { vendor: { behave: [{ delayMs: 500, poll: [lost, lost, lost, lost] }], latencyMs: 200 } },
    async run(world) {
      const process = world.start()
      world.start()
      await expectDelivery(world, await world.create(process))
    },
  },

  'a vendor that does not know a task any more has lost it, after three answers over 15 seconds': {
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

  'ten processes that die in the middle of a poll, one after the other, cost no job that has nothing to do with it':
    {
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

  'a clock that is set ahead by an hour ends no running job': {
    options: { vendor: { behave: [{ delayMs: 30_000, poll: [stillRunning] }], latencyMs: 200 } },
    run: clockSetWhileRunning(60 * minuteMs),
  },
  'a clock that is set ahead by ten minutes ends no running job': {
    options: twentySeconds,
    run: clockSetWhileRunning(10 * minuteMs),
  },
  'a clock that is put back by 59 minutes holds no running job, which ends after its start': {
    options: twentySeconds,
    run: clockSetWhileRunning(-59 * minuteMs),
  },
}
