import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toBase64 } from './base64.ts'

test('bytes are written in base64 as Node writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
    }),
  )
})
