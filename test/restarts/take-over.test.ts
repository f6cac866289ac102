import { describe, expect, test } from 'vitest'
import type { VendorCall } from './world/watched-vendor.ts'
import { idOf, startWorld, until, type World } from './world/world.ts'

/** The services' clocks run at the speed of the system's clock, so a job that waits for its lease to end waits 30 s. */
const speed = 1
/** The promise is one to two seconds. The rest is for a busy machine. */
const promptlyMs = 20_000

/** The vendor leaves calls of this kind without an answer, until `letGo` is called. */
function holding(kind: VendorCall['kind']) {
  let isHolding = true
  const never = new Promise<never>(() => {})
  return {
    delays: { answer: (call: VendorCall) => (isHolding && call.kind === kind ? never : undefined) },
    letGo: () => void (isHolding = false),
  }
}

async function expectSoonDone(world: World, jobCount: number): Promise<void> {
  const beganAt = performance.now()
  await until(() => world.jobs().filter(({ phase }) => phase === 'completed').length === jobCount)
  expect(performance.now() - beganAt).toBeLessThan(promptlyMs)
  expect(world.vendor.ledger).toHaveLength(jobCount)
}

describe.concurrent('a job whose process has died is taken up long before its lease is over', () => {
  test('in the middle of a poll, by a process that was there', async ({ onTestFinished }) => {
    const { delays, letGo } = holding('poll')
    const world = await startWorld(onTestFinished, { speed, delays })
    const doomed = world.start()
    await world.create(doomed, { prompt: 'the one', task_ms: 100 })
    await until(() => world.vendor.calls.some(({ kind }) => kind === 'poll'))
    const other = world.start()
    await other.address
    await doomed.kill()
    letGo()
    await expectSoonDone(world, 1)
  })

  test('in the middle of a poll, by the next process', async ({ onTestFinished }) => {
    const { delays, letGo } = holding('poll')
    const world = await startWorld(onTestFinished, { speed, delays })
    const doomed = world.start()
    await world.create(doomed, { prompt: 'the one', task_ms: 100 })
    await until(() => world.vendor.calls.some(({ kind }) => kind === 'poll'))
    await doomed.kill()
    letGo()
    await world.start().address
    await expectSoonDone(world, 1)
  })

  test('forty at a time in the middle of their submits, side by side, where the vendor can be asked', async ({
    onTestFinished,
  }) => {
    const { delays, letGo } = holding('submit')
    const world = await startWorld(onTestFinished, { speed, delays })
    const doomed = world.start()
    for (let index = 0; index < 40; index++)
      await world.create(doomed, { model: 'find', prompt: `order ${index}`, task_ms: 100 })
    await until(() => world.vendor.ledger.length === 40)
    await doomed.kill()
    letGo()
    await world.start().address
    await expectSoonDone(world, 40)
  })

  test('at rest, by the next process', async ({ onTestFinished }) => {
    const world = await startWorld(onTestFinished, { speed })
    const doomed = world.start()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        world.create(doomed, { prompt: `order ${index}`, task_ms: 100, poll_after_ms: 5000 }),
      ),
    )
    await until(() => world.jobs().every(({ phase }) => phase === 'running'))
    await doomed.kill()
    await world.start().address
    await expectSoonDone(world, 20)
  })
})

test('the jobs of a process that closes go on with the one beside it', async ({ onTestFinished }) => {
  const world = await startWorld(onTestFinished, { speed })
  const leaving = world.start()
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.create(leaving, { prompt: `order ${index}`, task_ms: 100, poll_after_ms: 5000 }),
    ),
  )
  const ids = created.map(idOf)
  await until(() => world.jobs().every(({ phase }) => phase === 'running'))
  await world.start().address
  leaving.tell('close')
  expect(await leaving.ended).toBe(0)
  await expectSoonDone(world, 20)
  // Each step was taken once: by the process that closes or by the process that stays.
  expect(
    world
      .jobs()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(ids.toSorted())
})

test('a process that is frozen is not taken for dead', async ({ onTestFinished }) => {
  const { delays, letGo } = holding('poll')
  const world = await startWorld(onTestFinished, { speed, delays })
  const frozen = world.start()
  const id = idOf(await world.create(frozen, { prompt: 'the one', task_ms: 100 }))
  await until(() => world.vendor.calls.some(({ kind }) => kind === 'poll'))
  const other = world.start()
  await other.address
  await frozen.freeze()
  letGo()
  const polls = () => world.vendor.calls.filter(({ kind }) => kind === 'poll').length
  const before = polls()
  await world.create(other, { prompt: 'another one', task_ms: 3000, poll_after_ms: 500 })
  await until(() => world.jobs().filter(({ phase }) => phase === 'completed').length === 1)
  // The other job takes 3 s. The job of a dead process would have been polled by now.
  expect(
    world.vendor.calls.filter(({ kind, prompt }) => kind === 'poll' && prompt === 'the one'),
  ).toHaveLength(before)
  expect(world.job(id)).toMatchObject({ phase: 'running', claimedUntil: expect.any(Number) })
  frozen.thaw()
})
