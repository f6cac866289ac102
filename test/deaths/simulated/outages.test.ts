import { expect } from 'vitest'
import { expectDelivery, testInAllStores, testInMemory } from './paid-job-test.ts'

/** A vendor that answers after one second, when its task is still running. */
const runs = { vendor: { behave: [{ delayMs: 3000 }], latencyMs: 1000 } } as const
/** A vendor that answers a submit with the outputs. */
const finishesAtOnce = { vendor: { latencyMs: 1000 } } as const

testInAllStores(
  'after the job store hung for 40 s jobs complete, and a process closes within 10 s while the store hangs again',
  // The orphan dies with its submit under way, so its vendor is asked.
  { vendor: { ...runs.vendor, find: true } },
  async (world) => {
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
)

const bothLengths = [15, 60]

for (const seconds of bothLengths)
  for (const [who, register, processes, cutOff] of [
    ['the only process', testInMemory, 1, 1],
    ['both processes', testInAllStores, 2, 2],
    // In 60 s the other process takes the job over, and finds nobody whom it could ask.
    ['one of two processes', testInAllStores, 2, 1],
  ] as const)
    register(
      `a paid job completes after ${who} could not reach the job store for ${seconds} s when the vendor accepted the task`,
      runs,
      async (world) => {
        const started = Array.from({ length: processes }, () => world.start())
        const id = await world.create(started[0]!)
        await world.passUntil(() => world.vendor.submits.length > 0)
        for (const each of started.slice(0, cutOff)) each.storeTrouble = 'away'
        await world.pass(seconds * 1000)
        for (const each of started.slice(0, cutOff)) each.storeTrouble = 'none'
        await expectDelivery(world, id)
      },
    )

for (const seconds of bothLengths)
  testInMemory(
    `a paid job completes after the job store was away for ${seconds} s when the vendor answered with bytes`,
    finishesAtOnce,
    async (world) => {
      const process = world.start()
      const id = await world.create(process)
      await world.passUntil(() => world.vendor.submits.length > 0)
      process.storeTrouble = 'away'
      await world.pass(seconds * 1000)
      process.storeTrouble = 'none'
      await expectDelivery(world, id)
    },
  )

for (const [seconds, register] of [
  [10, testInMemory],
  [300, testInAllStores],
] as const)
  register(
    `a paid job completes after the file store was away for ${seconds} s when the vendor answered with bytes`,
    finishesAtOnce,
    async (world) => {
      const process = world.start()
      const id = await world.create(process)
      await world.passUntil(() => world.vendor.submits.length > 0)
      process.areFilesAway = true
      await world.pass(seconds * 1000)
      process.areFilesAway = false
      await expectDelivery(world, id)
    },
  )
