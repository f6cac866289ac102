import { expect, test } from 'vitest'
import { refuseUnsafeValue as refuse } from './refuse-unsafe-value.ts'

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
