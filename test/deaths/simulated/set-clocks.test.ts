import { expect } from 'vitest'
import type { FakeFault } from '@genmount/testing'
import { expectDelivery } from './expect-delivery.ts'
import { inFlight, latencyMs } from './in-flight.ts'
import { testInMemory } from './paid-job-test.ts'

const minuteMs = 60_000

for (const [processes, ahead, byMs] of [
  ['one process', '31 s', 31_000],
  ['two processes', '31 s', 31_000],
  ['one process', '10 minutes', 10 * minuteMs],
  ['one process', 'an hour', 60 * minuteMs],
] as const)
  testInMemory(
    `a paid job completes after the clock of ${processes} was set ahead by ${ahead} during its submit`,
    { vendor: { behave: [{ delayMs: 3000 }], latencyMs } },
    async (world) => {
      const process = world.start()
      if (processes === 'two processes') world.start()
      const id = await inFlight(world, process)
      world.clock.set(world.clock.now() + byMs)
      await expectDelivery(world, id)
    },
  )

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
