import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addText, removeText, type SortedTexts, textsBackwards } from './sorted-texts.ts'

const name = fc.nat({ max: 3000 }).map((number) => number.toString(16).padStart(4, '0'))

test('sorted texts are read in order from any place, whatever was added and removed before', () => {
  const change = fc.record({ adds: fc.boolean(), name, times: fc.nat({ max: 600 }) })
  const property = fc.property(fc.array(change, { maxLength: 30 }), name, (changes, before) => {
    const runs: SortedTexts = []
    const expected = new Set<string>()
    for (const { adds, name: first, times } of changes)
      for (let index = 0; index <= times; index++) {
        const text = (Number.parseInt(first, 16) + index).toString(16).padStart(4, '0')
        if (!adds) removeText(runs, text)
        else if (!expected.has(text)) addText(runs, text)
        if (adds) expected.add(text)
        else expected.delete(text)
      }
    const all = [...expected].toSorted().toReversed()
    expect([...textsBackwards(runs)]).toEqual(all)
    expect([...textsBackwards(runs, before)]).toEqual(all.filter((text) => text < before))
    expect(runs.every((run) => run.length > 0 && run.length <= 512)).toBe(true)
  })
  fc.assert(property, { numRuns: 100 })
})
