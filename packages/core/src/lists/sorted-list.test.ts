import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addItem,
  first,
  itemsBefore,
  itemsFrom,
  listOf,
  removeItem,
  sortedLists,
  sumBefore,
} from './sorted-list.ts'

const number = fc.nat({ max: 3000 })
const change = fc.record({
  adds: fc.boolean(),
  number,
  times: fc.nat({ max: 600 }),
  name: fc.constantFrom('a', 'b'),
})

const sumOf = (items: readonly number[]) => items.reduce((sum, item) => sum + item, 0)

test('sorted lists are read and added up from any place, whatever was added and removed before', () => {
  const property = fc.property(
    fc.array(change, { maxLength: 30 }),
    number,
    fc.nat({ max: 1500 }),
    (changes, place, skip) => {
      const lists = sortedLists<number>({ compare: (a, b) => a - b, weigh: (item) => item })
      const expected = { a: new Set<number>(), b: new Set<number>() }
      for (const { adds, number: from, times, name } of changes)
        for (let item = from; item <= from + times; item++) {
          if (!adds) removeItem(lists, item, name)
          else if (!expected[name].has(item)) addItem(lists, item, name)
          if (adds) expected[name].add(item)
          else expected[name].delete(item)
        }
      for (const name of ['a', 'b'] as const) {
        const all = [...expected[name]].toSorted((a, b) => a - b)
        const isBefore = (item: number) => item < place
        const rest = all.filter((item) => !isBefore(item))
        const list = listOf(lists, name)
        expect([...itemsFrom(list)]).toEqual(all)
        expect([...itemsFrom(list, isBefore, skip)]).toEqual(rest.slice(skip))
        expect([...itemsBefore(list, isBefore)]).toEqual(all.filter(isBefore).toReversed())
        expect(sumBefore(lists, isBefore, name)).toBe(sumOf(all.filter(isBefore)))
        expect(list.sum).toBe(sumOf(all))
        expect(list.runs.every(({ items }) => items.length > 0 && items.length <= 512)).toBe(true)
        expect(lists.byName.has(name)).toBe(all.length > 0)
      }
    },
  )
  fc.assert(property, { numRuns: 100 })
})

test('first() returns items until the limit, or until the first item that its condition refuses', () => {
  expect([first([1, 2, 3], 2), first([1, 2, 3, 1], 9, (item) => item < 3), first([1], 0)]).toEqual([
    [1, 2],
    [1, 2],
    [],
  ])
})

test('hundreds of items share a run, whether they come in their order, or between others in the reverse order', () => {
  const lists = sortedLists<number>({ compare: (a, b) => a - b, weigh: () => 1 })
  for (let item = 0; item < 6400; item += 2) addItem(lists, item)
  expect(listOf(lists).runs).toHaveLength(10)
  for (let item = 6399; item > 0; item -= 2) addItem(lists, item)
  expect(listOf(lists).runs.length).toBeLessThanOrEqual(25)
})
