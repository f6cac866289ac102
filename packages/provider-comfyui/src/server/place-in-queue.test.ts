import { expect, test } from 'vitest'
import { placeInQueue } from './place-in-queue.ts'

const queue = {
  queue_running: [[1, 'a', {}]],
  queue_pending: [
    [7, 'd', {}],
    [3, 'b', {}],
    [5, 'c', {}],
  ],
}

test('the place in the queue of ComfyUI is how many prompts run before it, in any order of the list', () => {
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => placeInQueue(queue, id))).toEqual([
    'running',
    1,
    2,
    3,
    undefined,
  ])
  expect(placeInQueue({ queue_running: [], queue_pending: [[3, 'b']] }, 'b')).toBe(0)
})

test('placeInQueue throws an error when the answer of ComfyUI is no queue', () => {
  for (const json of [undefined, {}, { queue_running: [] }, { queue_running: {}, queue_pending: [] }])
    expect(() => placeInQueue(json, 'a')).toThrow('not a queue')
})
