import { expect } from 'vitest'
import { expectDelivery, testInAllStores, testInMemory } from './paid-job-test.ts'
import type { SimulatedWorld } from './simulated-world.ts'

const sendCallback = () => {}
/** The vendor accepts the task and is paid, but its answer never arrives. */
const hangingSubmit = { vendor: { sendCallback, behave: [{ answer: 'hang', delayMs: 500 }] } } as const
const cutSubmit = { vendor: { sendCallback, behave: [{ answer: 'reset', delayMs: 500 }] } } as const
const tenMinutesMs = 600_000

/** Two processes, of which the first waits for the answer to a submit that the vendor has accepted. */
async function inSubmit(world: SimulatedWorld) {
  const [holder, other] = [world.start(), world.start()]
  const id = await world.create(holder)
  await world.passUntil(() => world.vendor.ledger.length > 0)
  await world.pass(1000)
  return { holder, other, id }
}

/** A process that has failed its job, because nobody knows what came of the submit. */
async function inDoubt(world: SimulatedWorld) {
  const process = world.start()
  const id = await world.create(process)
  await world.passUntil(async () => (await world.job(id)).phase === 'failed')
  expect(await world.job(id)).toMatchObject({ phase: 'failed', error: { code: 'submit_ambiguous' } })
  return { process, id }
}

testInMemory(
  'a callback during a submit without an answer completes the job, though its process is killed a second later',
  hangingSubmit,
  async (world) => {
    const { holder, other, id } = await inSubmit(world)
    world.callBack(id, () => (holder.isDead ? other : holder))
    await world.pass(1000)
    holder.kill()
    await expectDelivery(world, id)
  },
)

testInAllStores(
  'a callback at another process than the one whose submit has no answer completes the job',
  hangingSubmit,
  async (world) => {
    const { holder, other, id } = await inSubmit(world)
    world.callBack(id, () => other)
    await world.pass(1000)
    holder.kill()
    await expectDelivery(world, id)
  },
)

testInMemory(
  'a callback during a submit of a living process that hangs completes the job',
  hangingSubmit,
  async (world) => {
    const process = world.start()
    const id = await world.create(process)
    await world.passUntil(() => world.vendor.ledger.length > 0)
    await world.pass(1000)
    world.callBack(id, () => process)
    await expectDelivery(world, id)
  },
)

testInMemory(
  'a callback a minute after the job failed as submit_ambiguous completes the job',
  cutSubmit,
  async (world) => {
    const { process, id } = await inDoubt(world)
    await world.pass(60_000)
    world.callBack(id, () => process)
    await expectDelivery(world, id)
  },
)

testInAllStores(
  'a callback three days after the job failed as submit_ambiguous completes the job',
  cutSubmit,
  async (world) => {
    const { process, id } = await inDoubt(world)
    process.kill()
    const next = world.start()
    // Nobody has asked for the job for three days, and its deadline is long over.
    world.clock.set(world.clock.now() + 3 * 86_400_000)
    await world.pass(10_000)
    world.callBack(id, () => next)
    await expectDelivery(world, id)
  },
)

for (const trouble of ['away', 'read-only'] as const)
  testInAllStores(
    `a callback about a lost submit is not accepted while the job store is ${trouble}, and is when the vendor repeats it`,
    hangingSubmit,
    async (world) => {
      const { holder, other, id } = await inSubmit(world)
      other.storeTrouble = trouble
      const call = world.callBack(id, () => other)
      if (trouble === 'away') holder.kill()
      await world.pass(20_000)
      expect(call.answers).not.toContain('taken')
      other.storeTrouble = 'none'
      holder.kill()
      await expectDelivery(world, id)
    },
  )

testInAllStores(
  'a job whose callback came during a poll to a process that was then killed completes within a minute',
  { vendor: { sendCallback, behave: [{ delayMs: 3500, pollAfterMs: tenMinutesMs }], latencyMs: 2000 } },
  async (world) => {
    const [holder, other] = [world.start(), world.start()]
    const id = await world.create(holder)
    await world.passUntil(async () => (await world.job(id)).phase === 'running')
    // A callback causes the first poll, and the answer to this poll is on its way when the task ends.
    const first = world.callBack(id, () => holder)
    await world.passUntil(() => world.vendor.polls.length > 0, 10_000)
    expect([first.isTaken, world.vendor.polls.length]).toEqual([true, 1])
    const end = world.callBack(id, () => other)
    await world.pass(100)
    if (end.isTaken) other.kill()
    await expectDelivery(world, id, 60_000)
  },
)
