import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonCopy } from './json-values.ts'

const throughText = (value: unknown): unknown => {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : JSON.parse(text)
}

test('a JSON copy equals what JSON.parse makes of JSON.stringify, for any value', () => {
  const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true })
  fc.assert(
    fc.property(anything, (value) => {
      expect(jsonCopy(value)).toStrictEqual(throughText(value))
    }),
  )
})

test.each<[string, unknown]>([
  ['-0', [-0]],
  ['a field named __proto__', JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}')],
  ['a toJSON', { at: { toJSON: () => 'noon' } }],
  ['an array with a toJSON', Object.assign([1], { toJSON: () => 'list' })],
  ['many levels', JSON.parse('['.repeat(200) + ']'.repeat(200))],
  ['half a surrogate pair', ['\ud800']],
])('%s is copied as JSON would', (_what, value) => {
  expect(jsonCopy(value)).toStrictEqual(throughText(value))
})

test('a JSON copy does not change with the original', () => {
  const value = { list: [{ seed: 1 }] }
  const copy = jsonCopy(value)
  value.list[0]!.seed = 2
  value.list.push({ seed: 3 })
  expect(copy).toEqual({ list: [{ seed: 1 }] })
})

test('a JSON copy of a cyclic value throws', () => {
  const value: { self?: unknown } = {}
  value.self = value
  expect(() => jsonCopy(value)).toThrow(TypeError)
})
