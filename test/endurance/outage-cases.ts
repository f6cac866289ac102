import { expect } from 'vitest'
import type { EnduranceCases } from './endurance-suite.ts'
import { expectDelivery } from './expect-delivery.ts'

/** A vendor that answers after one second, when its task is still running. */
const runs = { vendor: { behave: [{ delayMs: 3000 }], latencyMs: 1000 } } as const
/** A vendor that answers a submit with the outputs. */
const finishesAtOnce = { vendor: { latencyMs: 1000 } } as const

/** The store is away from the first `cutOff` of so many processes, the first of which has the job. */
function storeAway(seconds: number, processes: number, cutOff = processes): EnduranceCases[string]['run'] {
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

function filesAway(seconds: number): EnduranceCases[string]['run'] {
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

/**
 * Stores that can not be reached, or hang, after the provider has accepted the task, while the process lives.
 */
export const outageCases: EnduranceCases = {
  'a job store that answers nobody for 40 s holds up nothing once it does, and the process closes in time': {
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
  'a job store that is away for 15 s right after the provider has accepted costs no paid job': {
    options: runs,
    run: storeAway(15, 1),
  },
  'a job store that is away for 60 s right after the provider has accepted costs no paid job': {
    options: runs,
    run: storeAway(60, 1),
  },
  'a job store that is away for 15 s from two processes, of which one has a handle in hand, costs no paid job':
    {
      options: runs,
      run: storeAway(15, 2),
    },
  'a job store that is away for 60 s from two processes, of which one has a handle in hand, costs no paid job':
    {
      options: runs,
      run: storeAway(60, 2),
    },
  'a job store that is away for 15 s from the one process that has a handle in hand costs no paid job': {
    options: runs,
    run: storeAway(15, 2, 1),
  },
  'a job store that is away for 60 s from the one process that has a handle in hand costs no paid job': {
    options: runs,
    // Long enough for the other to take the job over and to find nobody whom it could ask.
    run: storeAway(60, 2, 1),
  },
  'a job store that is away for 15 s right after bytes have come costs no paid job': {
    options: finishesAtOnce,
    run: storeAway(15, 1),
  },
  'a job store that is away for 60 s right after bytes have come costs no paid job': {
    options: finishesAtOnce,
    run: storeAway(60, 1),
  },
  'a file store that is away for 10 s when bytes have come costs no paid job': {
    options: finishesAtOnce,
    run: filesAway(10),
  },
  'a file store that is away for 5 minutes when bytes have come costs no paid job': {
    options: finishesAtOnce,
    run: filesAway(300),
  },
}
