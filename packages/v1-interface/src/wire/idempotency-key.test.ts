import { expect, test } from 'vitest'
import { idempotencyKey } from './create-request.ts'

test('a bare idempotency key and the same key in quotes are the same key', () => {
  expect(idempotencyKey('order-1')).toBe('order-1')
  expect(idempotencyKey('"order-1"')).toBe('order-1')
  expect(idempotencyKey('"a \\"b\\" \\\\"')).toBe('a "b" \\')
  expect(idempotencyKey(undefined)).toBeUndefined()
})

test('an idempotency key has 1 to 255 characters, without its quotes and escapes', () => {
  expect(idempotencyKey('k'.repeat(255))).toHaveLength(255)
  expect(idempotencyKey(`"${'\\"'.repeat(255)}"`)).toHaveLength(255)
  for (const header of ['k'.repeat(256), `"${'k'.repeat(256)}"`, '', '""'])
    expect(() => idempotencyKey(header)).toThrow(/1 to 255/)
})

test('an idempotency key with broken quotes or invisible characters is refused', () => {
  for (const header of ['"a', '"a"b', '"a\\b"', 'k\u00e9y', 'a\tb', 'a\x7f', '\u0000'])
    expect(() => idempotencyKey(header)).toThrow(/1 to 255/)
})
