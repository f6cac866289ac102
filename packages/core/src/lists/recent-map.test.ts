import { expect, test } from 'vitest'
import { recentMap } from './recent-map.ts'

test('the entry that was not used for the longest time goes first, and a look does not count as use', () => {
  const map = recentMap<number>(3)
  for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index)
  map.get('a')
  map.peek('b')
  map.has('b')
  map.set('d', 3)
  expect(map.keys().toSorted()).toEqual(['a', 'c', 'd'])
  map.set('c', 4)
  map.set('e', 5)
  expect(map.keys().toSorted()).toEqual(['c', 'd', 'e'])
  expect([map.get('c'), map.get('a'), map.peek('gone')]).toEqual([4, undefined, undefined])
})

test('entries have the given size together, also after some were replaced or deleted', () => {
  const map = recentMap<string>(10, (text) => text.length)
  map.set('a', 'xxxx')
  map.set('b', 'xxxx')
  map.set('a', 'xx')
  map.set('c', 'xxxx')
  expect(map.keys().toSorted()).toEqual(['a', 'b', 'c'])
  expect([map.delete('b'), map.delete('b')]).toEqual([true, false])
  map.set('d', 'xxxx')
  expect(map.keys().toSorted()).toEqual(['a', 'c', 'd'])
  map.set('e', 'xxxxxxxxx')
  expect(map.keys()).toEqual(['e'])
})

test('whoever uses entries while going through the keys comes to an end', () => {
  const map = recentMap<number>(3)
  for (const key of ['a', 'b', 'c']) map.set(key, 1)
  let looks = 0
  for (const key of map.keys()) looks += map.get(key) ?? 0
  expect(looks).toBe(3)
})
