import { expect, test } from 'vitest'
import { partWith, stateIn } from './part-with.ts'

const file = { at: 'video', output: { url: 'https://cdn.example.com/a.mp4' } }

test('a task with a file has ended when it names no state or says so in other words than its vendor', () => {
  for (const state of [undefined, null, 'Success', 'COMPLETED', 'succeeded', 'done', 'Finished', 'Ready'])
    expect([state, stateIn(state, [file], 'ended')]).toEqual([state, 'ended'])
})

test('a task keeps its state without a file, and while it runs or has failed beside one', () => {
  for (const state of ['Success', 'running', 'failed', 'not ready'])
    expect(stateIn(state, [{ at: 'video', fault: 'is empty' }], 'ended')).toBe(state)
  for (const state of ['running', 'failed', 'queued', 'incomplete', 'not ready'])
    expect(stateIn(state, [file], 'ended')).toBe(state)
  expect(stateIn(undefined, [], 'ended')).toBeUndefined()
})

test('a field is looked for only in what an answer has, so 10,000 answers without it take less than 5 seconds', () => {
  const answer = { id: 'a', output: [{ detail: 'none' }] }
  const from = performance.now()
  for (let count = 0; count < 10_000; count++) expect(partWith(['state', 'status'], answer)).toBe(answer)
  expect(performance.now() - from).toBeLessThan(5000)
})
