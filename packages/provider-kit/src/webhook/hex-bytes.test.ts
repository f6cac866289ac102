import { expect, test } from 'vitest'
import { hexBytes } from './hex-bytes.ts'

test('a signature in hexadecimal is read in either case, and only at its full length', () => {
  expect(hexBytes('00ff7A', 3)).toEqual(Uint8Array.of(0, 255, 0x7a))
  for (const wrong of ['00ff7', '00ff7a00', '00ff7g', '00ff 7', '', undefined])
    expect(hexBytes(wrong, 3)).toBeUndefined()
})
