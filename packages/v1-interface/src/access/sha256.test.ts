import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

const digestOf = (text: string) => {
  const words = Uint16Array.from(sha256(text), (unit) => unit.charCodeAt(0))
  return Buffer.from(words.buffer).swap32().toString('hex')
}

test('sha256 gives the hash of FIPS 180 for texts of every length around one block and above', () => {
  // FIPS 180-4, example of one block.
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  for (let length = 0; length <= 300; length++) {
    const text = 'a key of many characters, '.repeat(12).slice(0, length)
    expect(digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
  for (const text of ['\u20ac', '\ud83e\udd8a'.repeat(100), 'k'.repeat(4096), '~'.repeat(1_000_000)])
    expect(digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
})
