import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, toBase64 } from './base64.ts'

test('base64 is written as Node writes it', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    }),
  )
})

test('base64 is read with and without padding', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = toBase64(bytes)
      expect(fromBase64(text)).toEqual(bytes)
      expect(fromBase64(text.replace(/=+$/, ''))).toEqual(bytes)
    }),
  )
})

test.each([undefined, 7, {}, '=', 'a', 'a*b=', 'ä'])('%j is not base64', (value) => {
  expect(fromBase64(value)).toBeUndefined()
})
