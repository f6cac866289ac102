import { expect, test } from 'vitest'
import { runInSmallHeap } from './run-in-small-heap.ts'

/** Declares a test of creates that are too large together for the heap of a service. */
export function testWideCreates(runtime: 'node' | 'deno', prompts: 'narrow' | 'wide'): void {
  test(`a service in the memory of ${runtime}, in a heap of 96 MB, refuses creates with a million ${prompts} characters before they cost, and lives on`, async () => {
    const { answers, submits } = await runInSmallHeap(runtime, 96, prompts, 120)
    expect(Object.keys(answers).toSorted()).toEqual(['202', '503 capacity_exceeded'])
    expect(answers['202']).toBeGreaterThanOrEqual(5)
    expect(submits).toBe(answers['202'])
  })
}
