import { expect, test } from 'vitest'
import { jsonError, refuseUnsafeValue as refuse } from './with-json-body.ts'

const maxValues = 10_000
const refuseUnsafeValue = (value: unknown) => refuse(value, maxValues)

test('a field named __proto__ is refused at any depth, also written with escapes', () => {
  for (const text of ['{"__proto__":1}', '{"a":[{"b":{"__proto__":{}}}]}', '{"\\u005f_proto__":null}'])
    expect(() => refuseUnsafeValue(JSON.parse(text))).toThrow(/__proto__/)
  expect(() => refuseUnsafeValue(JSON.parse('{"a":"__proto__","constructor":1}'))).not.toThrow()
})

test('a number that JSON.parse turns into Infinity is refused', () => {
  expect(() => refuseUnsafeValue(JSON.parse('{"a":[1e999]}'))).toThrow(/too large/)
  expect(() => refuseUnsafeValue(JSON.parse('[-1e999]'))).toThrow(/too large/)
  expect(() => refuseUnsafeValue(JSON.parse('[1e308]'))).not.toThrow()
})

test('a parsed body with 64 levels is accepted, with 65 levels it is refused', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
  expect(() => refuseUnsafeValue(nested(64))).not.toThrow()
  expect(() => refuseUnsafeValue(nested(65))).toThrow(/64 levels/)
})

test('a parsed body with 10,000 keys and values is accepted, with one more it is refused', () => {
  const zeros = (count: number) => Array.from({ length: count }, () => 0)
  const object = (keys: number) => Object.fromEntries(Array.from({ length: keys }, (_, i) => [`key ${i}`, i]))
  const lists = (count: number) => [...Array.from({ length: count }, () => ({ a: [1] })), 0]
  for (const fits of [zeros(9999), object(4999), lists(2499)])
    expect(() => refuseUnsafeValue(fits)).not.toThrow()
  for (const wide of [zeros(10_000), object(5000), lists(2500)])
    expect(() => refuseUnsafeValue(wide)).toThrow(/at most 10000 keys and values/)
})

test('the error for a costly body says which limit it breaks', () => {
  const errorFor = (fault: Parameters<typeof jsonError>[0]) => jsonError(fault, maxValues)
  expect(errorFor('tooDeep').message).toContain('64 levels')
  expect(errorFor('tooMany').message).toContain('at most 10000 keys and values')
  expect(errorFor('tooSpacious').message).toContain('1000000 bytes outside')
  expect(errorFor('twoModels')).toMatchObject({ code: 'invalid_request', param: 'model' })
})
