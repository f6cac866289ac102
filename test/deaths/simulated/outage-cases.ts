import { expect } from 'vitest'
import type { PaidJobCases } from './paid-job-cases.ts'
import { expectDelivery } from './expect-delivery.ts'

/** A vendor that answers after one second, when its task is still running. */
const runs = { vendor: { behave: [{ delayMs: 3000 }], latencyMs: 1000 } } as const
/** A vendor that answers a submit with the outputs. */
const finishesAtOnce = { vendor: { latencyMs: 1000 } } as const

/** The store is away from the first `cutOff` of so many processes, the first of which has the job. */
function storeAway(seconds: number, processes: number, cutOff = processes): PaidJobCases[string]['run'] {
  return async (world) => {
    const started = Array.from({ length: processes }, () => world.start())
    const id = await world.create(started[0]!)
    await world.passUntil(() => world.vendor.submits.length > 0)
    for (const each of started.slice(0, cutOff)) each.storeTrouble = 'away'
    await world.pass(seconds * 1000)
    for (const each of started.slice(0, cutOff)) each.storeTrouble = 'none'
    await expectDelivery(world, id)
  }
}

function filesAway(seconds: number): PaidJobCases[string]['run'] {
  return async (world) => {
    const process = world.start()
    const id = await world.create(process)
    await world.passUntil(() => world.vendor.submits.length > 0)
    process.areFilesAway = true
    await world.pass(seconds * 1000)
    process.areFilesAway = false
    await expectDelivery(world, id)
  }
}

/** The job store or the file store can't be reached after the provider has accepted the task. The process lives on. */
export const outageCases: PaidJobCases = {
  'after a job store has hung for 40 s jobs complete, and a process closes within 10 s while the store hangs again':
    {
      dependsOnStore: true,
      // The orphan dies with its submit under way, so its vendor is asked.
      options: { vendor: { ...runs.vendor, find: true } },
      async run(world) {
        const process = world.start()
        const other = world.start()
        const id = await world.create(process)
        await world.passUntil(() => world.vendor.submits.length > 0)
        for (const each of [process, other]) each.storeTrouble = 'hanging'
        await world.pass(40_000)
        for (const each of [process, other]) each.storeTrouble = 'none'
        await expectDelivery(world, id)
        // Only the sweep can find this job, and the sweep itself has had hanging calls.
        const orphan = await world.create(process)
        process.kill()
        await expectDelivery(world, orphan)
        other.storeTrouble = 'hanging'
        let isClosed = false
        void other.service.close({ timeoutMs: 5000 }).then(() => (isClosed = true))
        expect(await world.passUntil(() => isClosed, 10_000)).toBe(true)
      },
    },
  ...Object.fromEntries([15, 60].flatMap(storeAwayFor)),
  'a paid job completes after the file store was away for 10 s when its bytes came': {
    options: finishesAtOnce,
    run: filesAway(10),
  },
  'a paid job completes after the file store was away for 5 minutes when its bytes came': {
    options: finishesAtOnce,
    run: filesAway(300),
  },
}

function storeAwayFor(seconds: number): [string, PaidJobCases[string]][] {
  const length = `for ${seconds} s`
  return [
    [
      `a paid job completes after the job store was away ${length} when the provider accepted the task`,
      { options: runs, run: storeAway(seconds, 1) },
    ],
    [
      `a paid job completes after the job store was away from both processes ${length} when the provider accepted the task`,
      { dependsOnStore: true, options: runs, run: storeAway(seconds, 2) },
    ],
    [
      // In 60 s the other process takes the job over, and finds nobody whom it could ask.
      `a paid job completes after the job store was away from one of two processes ${length} when the provider accepted the task`,
      { dependsOnStore: true, options: runs, run: storeAway(seconds, 2, 1) },
    ],
    [
      `a paid job completes after the job store was away ${length} when the provider answered the submit with bytes`,
      { options: finishesAtOnce, run: storeAway(seconds, 1) },
    ],
  ]
}
