import { expect } from 'vitest'
import type { Survey } from './ride-storm.ts'

/** Expects that the auditor has found no breach, and that clients were told of every job that they wanted. */
export function expectNothingLost({ breaches, acknowledged, ordered }: Survey): void {
  expect(breaches).toEqual([])
  expect(acknowledged).toBe(ordered)
}
