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

test('the place of a prompt is how many come first, whatever the order of the list', () => {
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => placeInQueue(queue, id))).toEqual([
    'running',
    1,
    2,
    3,
    undefined,
  ])
  expect(placeInQueue({ queue_running: [], queue_pending: [[3, 'b']] }, 'b')).toBe(0)
})

test('what is no queue says nothing about a prompt', () => {
  for (const json of [undefined, {}, { queue_running: [] }, { queue_running: {}, queue_pending: [] }])
    expect(() => placeInQueue(json, 'a')).toThrow('not a queue')
})
