import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { lane } from './lane.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function setUp(count: number) {
  const clock = manualClock(0)
  const one = lane(clock, count, 1000)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  function come(name: string, isUrgent?: boolean, owner?: string): Promise<void> {
    const end = Promise.withResolvers<void>()
    ends.set(name, end)
    return one.run(
      () => {
        begun.push(name)
        return end.promise
      },
      isUrgent,
      owner,
    )
  }
  async function end(name: string, error?: Error): Promise<void> {
    if (error) ends.get(name)?.reject(error)
    else ends.get(name)?.resolve()
    await settled()
  }
  return { clock, lane: one, begun, come, end }
}

test('a lane begins as many steps at once as it has places, the others in their order', async () => {
  const { lane, begun, come, end } = setUp(2)
  for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name)
  expect(begun).toEqual(['a', 'b'])
  expect(lane.isFull()).toBe(true)
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  await end('c')
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(lane.isFull()).toBe(true)
  await end('d')
  expect(lane.isFull()).toBe(false)
})

test('a call of a lane settles with its step, and a failing step frees its place', async () => {
  const { begun, come, end } = setUp(1)
  const failing = come('a')
  const waiting = come('b')
  failing.catch(() => {})
  waiting.catch(() => {})
  await end('a', new Error('boom'))
  await expect(failing).rejects.toThrow('boom')
  expect(begun).toEqual(['a', 'b'])
  await end('b', new Error('bang'))
  await expect(waiting).rejects.toThrow('bang')
})

test('a step that never ends loses its place in the lane, and frees no second place when it ends later', async () => {
  const { clock, lane, begun, come, end } = setUp(1)
  void come('stuck')
  void come('waiting')
  await clock.advance(999)
  expect(begun).toEqual(['stuck'])
  await clock.advance(1)
  expect(lane.isFull()).toBe(true)
  expect(begun).toEqual(['stuck', 'waiting'])
  void come('next')
  await end('stuck')
  expect(begun).toEqual(['stuck', 'waiting'])
  await end('waiting')
  expect(begun).toEqual(['stuck', 'waiting', 'next'])
  expect(clock.pendingTimers).toBe(0)
})

test('urgent steps come before others in a lane, in their own order', async () => {
  const { begun, come, end } = setUp(1)
  void come('a')
  void come('b')
  void come('urgent', true)
  void come('as urgent', true)
  for (const name of ['a', 'urgent', 'as urgent']) await end(name)
  expect(begun).toEqual(['a', 'urgent', 'as urgent', 'b'])
})

test('owners take turns in a lane: of ten steps of one owner, only one comes before the step of another', async () => {
  const { begun, come, end } = setUp(1)
  for (let i = 1; i <= 10; i++) void come(`alice ${i}`, false, 'alice')
  void come('bob', false, 'bob')
  void come('urgent', true, 'alice')
  await end('alice 1')
  await end('urgent')
  await end('bob')
  await end('alice 2')
  expect(begun).toEqual(['alice 1', 'urgent', 'bob', 'alice 2', 'alice 3'])
})

test('a clock that is set neither delays steps in a lane nor lets them in early', async () => {
  const { clock, begun, come } = setUp(1)
  void come('stuck')
  clock.set(10_000_000)
  void come('waiting')
  expect(begun).toEqual(['stuck'])
  clock.set(-10_000_000)
  await clock.advance(1000)
  expect(begun).toEqual(['stuck', 'waiting'])
})
