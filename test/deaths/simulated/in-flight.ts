import { expect } from 'vitest'
import type { MortalProcess } from './mortal-process.ts'
import type { SimulatedWorld } from './simulated-world.ts'

/**
 * How long each call takes, in milliseconds: longer than the pause between two sweeps, so that a sweep sees
 * the job meanwhile.
 */
export const latencyMs = 8000

/** Creates a job and returns while its submit is on its way to the vendor, which will answer in time. */
export async function inFlight(world: SimulatedWorld, process: MortalProcess): Promise<string> {
  const id = await world.create(process)
  await world.passUntil(() => world.vendor.submits.length > 0)
  await world.pass(1000)
  expect(world.vendor.ledger).toHaveLength(0)
  return id
}
