import { expect } from 'vitest'
import { answeredLate, checkAnsweredLate } from './answered-late.ts'
import {
  checkSubmittedOnce,
  findable,
  frozenBeforeSubmit,
  frozenBesideTheBlind,
  secondTry,
} from './frozen-before-submit.ts'
import { expectDelivery, testInAllStores, testInMemory, testInSqlite } from './paid-job-test.ts'
import type { MortalProcess } from './mortal-process.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/**
 * How long each call takes, in milliseconds: longer than the pause between two sweeps, so that a sweep sees
 * the job meanwhile.
 */
const latencyMs = 8000

const runs = { vendor: { behave: [{ delayMs: 3000 }], latencyMs } } as const
const finishesAtOnce = { vendor: { latencyMs } } as const

/** Creates a job and returns while its submit is on its way to the vendor, which will answer in time. */
async function inFlight(world: SimulatedWorld, process: MortalProcess): Promise<string> {
  const id = await world.create(process)
  await world.passUntil(() => world.vendor.submits.length > 0)
  await world.pass(1000)
  expect(world.vendor.ledger).toHaveLength(0)
  return id
}

async function frozenInFlight(world: SimulatedWorld, seconds: number, isAlone: boolean): Promise<void> {
  const process = world.start()
  if (!isAlone) world.start()
  const id = await inFlight(world, process)
  process.freeze()
  await world.pass(seconds * 1000)
  expect(world.vendor.ledger).toHaveLength(1)
  await process.thaw()
  await expectDelivery(world, id)
}

testInMemory('a paid job completes after its process was frozen for 40 s during its submit', runs, (world) =>
  frozenInFlight(world, 40, true),
)
testInMemory(
  'a paid job completes after its process was frozen for longer than its submit may take, when the answer came in time',
  runs,
  (world) => frozenInFlight(world, 90, true),
)
testInAllStores(
  'a process that was frozen for 40 s during a submit completes the job with the late answer, after another took it over',
  runs,
  (world) => frozenInFlight(world, 40, false),
)
testInMemory(
  'a process that was frozen for 5 minutes during a submit completes the job with the late answer, after another took it over',
  runs,
  (world) => frozenInFlight(world, 300, false),
)
testInMemory(
  'a process that was frozen during a submit stores the bytes in the late answer, after another process took the job over',
  finishesAtOnce,
  (world) => frozenInFlight(world, 40, false),
)

for (const [processes, ahead, byMs] of [
  ['one process', '31 s', 31_000],
  ['two processes', '31 s', 31_000],
  ['one process', '10 minutes', 600_000],
  ['one process', 'an hour', 3_600_000],
] as const)
  testInMemory(
    `a paid job completes after the clock of ${processes} was set ahead by ${ahead} during its submit`,
    runs,
    async (world) => {
      const process = world.start()
      if (processes === 'two processes') world.start()
      const id = await inFlight(world, process)
      world.clock.set(world.clock.now() + byMs)
      await expectDelivery(world, id)
    },
  )

testInMemory(
  'a process that was frozen between its claim and its submit, and another process beside it, submit the job once',
  findable,
  checkSubmittedOnce,
)

testInSqlite(frozenBesideTheBlind, { vendor: secondTry }, checkSubmittedOnce)

testInMemory(
  'a process that was frozen between its claim and its submit does not submit a job that another process has failed',
  { vendor: secondTry },
  async (world) => {
    await frozenBeforeSubmit(world)
    expect(world.vendor.ledger).toHaveLength(0)
  },
)

testInMemory(answeredLate, findable, checkAnsweredLate)
