import { expect, test } from 'vitest'
import { fairQueue } from './lane.ts'

function queueOf(...names: string[]) {
  const queue = fairQueue<string>()
  for (const name of names) queue.add(ownerOf(name), name)
  return queue
}

const ownerOf = (name: string) => name[0] ?? ''

function allOf(queue: ReturnType<typeof queueOf>): string[] {
  const served: string[] = []
  for (let item = queue.next(); item !== undefined; item = queue.next()) served.push(item)
  return served
}

test('a fair queue serves owners in turns, and the items of one owner in their order', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2')
  expect(allOf(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  expect(queue.isEmpty()).toBe(true)
})

test('an owner that was just served comes after other owners, also when its item did not have to wait', () => {
  const queue = fairQueue<string>()
  queue.passed('a')
  for (const name of ['a2', 'a3', 'b1', 'c1']) queue.add(ownerOf(name), name)
  expect(allOf(queue)).toEqual(['b1', 'c1', 'a2', 'a3'])
})

test('owners that return with one item each do not delay the turn of owners that wait', () => {
  const queue = queueOf('a1', 'a2', 'a3')
  const served: (string | undefined)[] = []
  for (let i = 0; i < 6; i++) {
    queue.add('b', `b${i}`)
    queue.add(`new-${i}`, `new-${i}`)
    served.push(queue.next(), queue.next())
  }
  expect(served.filter((name) => name?.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
})

test('an item that is removed takes no turn, wherever it stood', () => {
  const queue = fairQueue<string>()
  const takeOut = new Map(
    ['a1', 'a2', 'a3', 'b1', 'c1', 'c2'].map((name) => [name, queue.add(ownerOf(name), name)] as const),
  )
  for (const name of ['a2', 'b1', 'c2', 'c2']) takeOut.get(name)?.()
  expect(queue.next()).toBe('a1')
  takeOut.get('a1')?.()
  queue.add('b', 'b2')
  expect(allOf(queue)).toEqual(['c1', 'b2', 'a3'])
  expect(queue.isEmpty()).toBe(true)
})

test('an owner whose item can not be served now is skipped and keeps its turn', () => {
  const queue = queueOf('a1', 'b1', 'c1')
  const notA = (name: string) => ownerOf(name) !== 'a'
  expect([queue.first(notA), queue.next(notA)]).toEqual(['b1', 'b1'])
  expect(queue.first(() => false)).toBeUndefined()
  expect(queue.next(() => false)).toBeUndefined()
  expect(allOf(queue)).toEqual(['a1', 'c1'])
})

/**
 * The time in milliseconds that `count` items of this many owners need to go through a queue, once served and once
 * removed.
 */
function timeOf(count: number, owners: number): number {
  const queue = fairQueue<number>()
  const begun = performance.now()
  for (let i = 0; i < count; i++) queue.add(String(i % owners), i)
  let served = 0
  while (queue.next() !== undefined) served++
  expect(served).toBe(count)
  const takeOut = Array.from({ length: count }, (_, i) => queue.add(String(i % owners), i))
  for (const out of takeOut) out()
  expect(queue.isEmpty()).toBe(true)
  return performance.now() - begun
}

test.each([1, 100_000])(
  'an item of a long queue takes no longer than an item of a short one, with up to %i owners',
  (owners) => {
    timeOf(5000, owners)
    let short = 0
    for (let i = 0; i < 20; i++) short += timeOf(5000, Math.min(owners, 5000))
    // If each operation looked at all items, the long queue would take twenty times as long.
    expect(timeOf(100_000, owners)).toBeLessThan(10 * short)
  },
)
