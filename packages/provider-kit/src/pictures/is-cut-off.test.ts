import { expect, test } from 'vitest'
import { isCutOff } from './is-cut-off.ts'

const isCut = (...parts: readonly string[]) =>
  isCutOff(Buffer.from(parts.join(''), 'latin1').toString('base64'))

const png = '\x89PNG\r\n\x1a\n'
const chunk = (type: string, length: number) =>
  `\0\0\0${String.fromCharCode(length)}${type}${'x'.repeat(length + 4)}`
const jpeg = '\xff\xd8\xff\xe0\0\x06JFIF'
const scan = '\xff\xda\0\x04\x01\x02some data'
const film = '\0\0\0\x10ftypisom\0\0\0\0'

test('a file that goes on behind its parts, as phones and programs append things, is whole', () => {
  expect(isCut(png, chunk('IHDR', 13), chunk('IEND', 0), 'something else')).toBe(false)
  expect(isCut(jpeg, scan, '\xff\xd9', 'a film of a motion photo'.repeat(9000))).toBe(false)
  expect(isCut(film, '\0\0\0\x09mdatx', '\0\0\0\0')).toBe(false)
  expect(isCut(film, '\0\0\0\0mdat up to the end')).toBe(false)
  expect(isCut(film, '\0\0\0\x01mdat\0\0\0\0\0\0\0\x14film')).toBe(false)
})

test('a file whose last part is longer than the rest of the file is cut off', () => {
  expect(isCut(png, chunk('IHDR', 13), chunk('IDAT', 40).slice(0, -1))).toBe(true)
  expect(isCut('RIFF\x40\0\0\0WEBPVP8 \x34\0\0\0', 'x'.repeat(20))).toBe(true)
  expect(isCut(film, '\0\0\0\x40mdat a film that goes on')).toBe(true)
  expect(isCut(film, '\0\0\0\x01mdat\0\0\0\0\0\0\0\x40film that goes on')).toBe(true)
})

test('a JPEG whose scan does not end is cut off, although the picture within its metadata ends', () => {
  const preview = '\xff\xe1\0\x08\xff\xd8\xff\xd9\0\0'
  expect(isCut(jpeg, preview, scan)).toBe(true)
  expect(isCut(jpeg, preview, scan, 'x'.repeat(200_000))).toBe(true)
  for (const length of [0, 49_000, 49_100, 49_152, 98_304])
    expect(isCut(jpeg, preview, scan, '\xff\xd9', 'x'.repeat(length)), String(length)).toBe(false)
})

test('a file that does not show its length, and one of many parts, count as whole', () => {
  expect(isCut(png)).toBe(false)
  expect(isCut(png, 'no chunks, but something else')).toBe(false)
  expect(isCut('GIF89a', 'x'.repeat(40))).toBe(false)
  expect(isCut(jpeg)).toBe(false)
  expect(isCut('')).toBe(false)
  const begun = performance.now()
  expect(isCut(png, chunk('IHDR', 13), chunk('tEXt', 0).repeat(1_000_000))).toBe(false)
  expect(performance.now() - begun).toBeLessThan(1000)
})
