import { expect } from 'vitest'
import type { Survey } from './ride-storm.ts'

/** Expects that the auditor has found no breach, and that clients were told of every job that they wanted and could pay. */
export function expectNothingLost({ breaches, acknowledged, refused, ordered }: Survey): void {
  expect(breaches).toEqual([])
  expect(acknowledged + refused).toBe(ordered)
}
