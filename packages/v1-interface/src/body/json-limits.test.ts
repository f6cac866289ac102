import { expect, test } from 'vitest'
import { refuseDeepText, refuseUnsafeValue } from './json-limits.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('64 levels are read, the 65th is refused, as text and as a value', () => {
  expect(() => refuseDeepText(nested(64))).not.toThrow()
  expect(() => refuseDeepText(nested(65))).toThrow(/64 levels/)
  expect(() => refuseDeepText('{"a":'.repeat(65))).toThrow(/64 levels/)
  expect(() => refuseUnsafeValue(JSON.parse(nested(64)))).not.toThrow()
  expect(() => refuseUnsafeValue(JSON.parse(nested(65)))).toThrow(/64 levels/)
})

test('brackets in strings are text, escaped quotes included', () => {
  const text = JSON.stringify({ a: '['.repeat(100), b: `\\"${'{'.repeat(100)}\\`, c: '"[[["' })
  expect(() => refuseDeepText(text)).not.toThrow()
})

test('breadth is not depth', () => {
  expect(() => refuseDeepText(`[${'[],'.repeat(1000)}[]]`)).not.toThrow()
})

test('text that never ends is left to the parser, and 20 MB of brackets cost nothing', () => {
  expect(() => refuseDeepText('"abc')).not.toThrow()
  expect(() => refuseDeepText('"abc\\"')).not.toThrow()
  expect(() => refuseDeepText('['.repeat(20_000_000))).toThrow(/64 levels/)
})

test('many escaped quotes and long runs of backslashes are read in one pass', () => {
  const startedAt = performance.now()
  refuseDeepText(`"${'\\"'.repeat(2_000_000)}"`)
  refuseDeepText(`"${'\\\\'.repeat(2_000_000)}"`)
  expect(performance.now() - startedAt).toBeLessThan(5000)
})

test('a field named __proto__ is refused at any depth, however it is spelt', () => {
  for (const text of ['{"__proto__":1}', '{"a":[{"b":{"__proto__":{}}}]}', '{"\\u005f_proto__":null}'])
    expect(() => refuseUnsafeValue(JSON.parse(text))).toThrow(/__proto__/)
  expect(() => refuseUnsafeValue(JSON.parse('{"a":"__proto__","constructor":1}'))).not.toThrow()
})

test('a number that JSON.parse makes infinite is refused', () => {
  expect(() => refuseUnsafeValue(JSON.parse('{"a":[1e999]}'))).toThrow(/too large/)
  expect(() => refuseUnsafeValue(JSON.parse('[-1e999]'))).toThrow(/too large/)
  expect(() => refuseUnsafeValue(JSON.parse('[1e308]'))).not.toThrow()
})
