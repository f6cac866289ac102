import { expect } from 'vitest'
import { expectDelivery } from './paid-job-test.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/** The first submit finds nobody. The second one begins with a claim that is a write of its own. */
export const secondTry = { behave: [{ submit: 'connection_refused' }, {}], latencyMs: 500 } as const
export const findable = { vendor: { ...secondTry, find: true } } as const

/**
 * Creates a job in a process that stands still after it has claimed the job and before it calls the provider, and lets
 * the process go on later. Nothing is paid after the job has ended.
 * @returns the id of the job, and whether another process has ended the job meanwhile
 */
export async function frozenBeforeSubmit(
  world: SimulatedWorld,
): Promise<{ id: string; isTakenOver: boolean }> {
  let hasFrozen = false
  const late = world.start((job) => {
    if (job.phase !== 'submitting' || world.vendor.submits.length !== 1 || hasFrozen) return
    hasFrozen = true
    late.freeze()
  })
  const id = await world.create(late)
  expect(await world.passUntil(() => late.isFrozen)).toBe(true)
  // Later than the second try, which would otherwise be left to it.
  const other = world.start()
  await world.pass(40_000)
  const hasEnded = async () => ['completed', 'failed'].includes((await world.job(id)).phase)
  const isTakenOver = await world.passUntil(hasEnded, 600_000, 1000)
  const paid = world.vendor.ledger.length
  expect(other.isFrozen).toBe(false)
  await late.thaw()
  await world.pass(120_000)
  if (isTakenOver) expect(world.vendor.ledger).toHaveLength(paid)
  else expect(paid).toBe(0)
  return { id, isTakenOver }
}

export const frozenBesideTheBlind =
  'a process that was frozen between its claim and its submit, and another process beside it that can not ask the vendor, submit the job once'

/** Checks that the two processes submit the job once. */
export async function checkSubmittedOnce(world: SimulatedWorld): Promise<void> {
  const { id, isTakenOver } = await frozenBeforeSubmit(world)
  // Where the store can tell that the frozen process lives, the other one waits for it.
  const knowsEnds = (await world.job(id)).claim?.token?.includes(':') ?? false
  expect(isTakenOver).toBe(!knowsEnds)
  await expectDelivery(world, id)
}
