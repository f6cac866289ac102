import { expect } from 'vitest'
import { expectDelivery, testInDatabases } from './paid-job-test.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/** A vendor that answers after one second, when its task is still running, and can't be asked about a lost submit. */
const runs = { vendor: { behave: [{ delayMs: 3000 }], latencyMs: 1000 } } as const

/** Lets time pass, and reads each second what clients see of the job. */
async function expectNoFailure(world: SimulatedWorld, id: string, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await world.pass(1000)
    expect((await world.job(id)).error).toBeUndefined()
  }
}

for (const [what, begin, end] of [
  ['stands still', 'freeze', 'thaw'],
  ['can not reach the job store', 'away', 'none'],
  ['may not write to the job store', 'read-only', 'none'],
] as const)
  testInDatabases(
    `another process does not fail a paid job while the process with its submit ${what} for 60 s, and it completes afterwards`,
    runs,
    async (world) => {
      const holder = world.start()
      world.start()
      const id = await world.create(holder)
      await world.passUntil(() => world.vendor.submits.length > 0)
      if (begin === 'freeze') holder.freeze()
      else holder.storeTrouble = begin
      await expectNoFailure(world, id, 60)
      if (end === 'thaw') await holder.thaw()
      else holder.storeTrouble = end
      await expectNoFailure(world, id, 10)
      await expectDelivery(world, id)
    },
  )
