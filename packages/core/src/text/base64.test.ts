import { cpuTimeOf } from '@genmount/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromBase64, isBase64, toBase64 } from './base64.ts'

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

test.each([undefined, 7, {}, '=', 'a', 'a*b=', 'ä', 'iVBO Rw0', 'iVBO%2Bw0'])('%j is not base64', (value) => {
  expect(fromBase64(value)).toBeUndefined()
})

test('only whole base64 with its padding, in one line, counts as base64', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => isBase64(toBase64(bytes))))
  for (const broken of [
    'a',
    'ab',
    'abc',
    'abcd=',
    'ab=c',
    'a===',
    '====',
    'ab==cd==',
    'ab\ncd123',
    'ab+ cd12',
  ])
    expect(isBase64(broken), broken).toBe(false)
  for (const broken of ['iVBO%2Fw0', 'iVB%3D', 'iVB-', 'iVB_', 'iVBä'])
    expect(isBase64(broken), broken).toBe(false)
})

test('base64 of 20 MB is checked within 200 ms', async () => {
  const long = 'A'.repeat(28_000_000)
  expect(await cpuTimeOf(() => void isBase64(long))).toBeLessThan(200)
})
