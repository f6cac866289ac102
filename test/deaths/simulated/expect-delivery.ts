import { expect } from 'vitest'
import type { SimulatedWorld } from './simulated-world.ts'

/**
 * Waits until the job has completed. Fails if its task was not paid for exactly once, or if the job shows
 * another cost.
 */
export async function expectDelivery(world: SimulatedWorld, id: string, limitMs = 600_000): Promise<void> {
  await world.passUntil(async () => (await world.job(id)).phase === 'completed', limitMs, 1000)
  const { phase, error, costUsd, outputs } = await world.job(id)
  const paid = world.vendor.ledger.filter(({ jobId }) => jobId === id)
  expect({ phase, error: error?.code, payments: paid.length }).toEqual({
    phase: 'completed',
    error: undefined,
    payments: 1,
  })
  expect(costUsd).toBe(paid[0]?.costUsd)
  expect(outputs.length).toBeGreaterThan(0)
}
