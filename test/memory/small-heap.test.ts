import { expect, test } from 'vitest'
import { runInSmallHeap } from './run-in-small-heap.ts'

test.each([
  ['node', 'narrow'],
  ['node', 'wide'],
  ['deno', 'narrow'],
] as const)(
  'a service in the memory of %s, in a heap of 96 MB, refuses creates with a million %s characters before they cost, and lives on',
  async (runtime, prompts) => {
    const { answers, submits } = await runInSmallHeap(runtime, 96, prompts, 120)
    expect(Object.keys(answers).toSorted()).toEqual(['202', '503 capacity_exceeded'])
    expect(answers['202']).toBeGreaterThanOrEqual(5)
    expect(submits).toBe(answers['202'])
  },
)
