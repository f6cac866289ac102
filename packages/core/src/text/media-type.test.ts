import { cpuTimeOf } from '@genmount/testing'
import { expect, test } from 'vitest'
import { judgedBytes, mediaTypeOf } from './media-type.ts'

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const unknown = 'application/octet-stream'
const zeros = '\0'.repeat(40)

test.each([
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
  ['RIFF\x24\0\0\0AVI LIST', 'video/x-msvideo'],
  ['ID3\x04\0\0\0\0\0\0\0\0', 'audio/mpeg'],
  ['\xff\xfb\x90\x64\0\0\0\0\0\0\0\0', 'audio/mpeg'],
  ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
  ['OggS\0\x02\0\0\0\0\0\0', 'audio/ogg'],
  [`OggS\0\x02${zeros}\x80theora\x03`, 'video/ogg'],
  ['fLaC\0\0\0\x22\x10\0\x10\0', 'audio/flac'],
  [`BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${zeros}`, 'image/bmp'],
  [`BM\x46\0\0\0not a bitmap${zeros}`, unknown],
  ['II*\0\x08\0\0\0', 'image/tiff'],
  ['MM\0*\0\0\0\x08', 'image/tiff'],
  ['\xff\x0a\xfa\x1f\x41\x90', 'image/jxl'],
  ['\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl ', 'image/jxl'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm', 'video/webm'],
  [
    '\x1aE\xdf\xa3\xa3B\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x88matroska',
    'video/x-matroska',
  ],
])('pictures, films and sounds are recognised by their first bytes: %j is %s', (beginning, type) => {
  expect(mediaTypeOf(bytesOf(beginning), 'image/x-other')).toBe(type === unknown ? 'image/x-other' : type)
})

test('a film in packets (MPEG-TS) is recognised by the beginnings of its packets', () => {
  const packet = 'G'.padEnd(188, '\0')
  for (const film of [packet.repeat(3), `\0\x01\x02\x03${packet}`.repeat(3)])
    expect(mediaTypeOf(bytesOf(film))).toBe('video/mp2t')
  expect(mediaTypeOf(bytesOf(packet.padEnd(600, '\0')))).toBe(unknown)
})

/** A box `ftyp`, and a byte behind it that looks like one more brand. */
const ftyp = (...brands: readonly string[]) => {
  const [major = '', ...compatible] = brands
  return `\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${major}\0\0\0\0${compatible.join('')}heic`
}

test.each([
  [['isom', 'isom', 'iso2', 'avc1', 'mp41'], 'video/mp4'],
  [['mp42', 'M4A ', 'mp42', 'isom'], 'video/mp4'],
  [['M4V ', 'M4V ', 'M4A '], 'video/mp4'],
  [['dash', 'iso6', 'mp41'], 'video/mp4'],
  [['isom'], 'video/mp4'],
  [['qt  ', 'qt  '], 'video/quicktime'],
  [['M4A ', 'M4A ', 'mp42', 'isom'], 'audio/mp4'],
  [['3gp4', 'isom', '3gp4'], 'video/3gpp'],
  [['avif', 'avif', 'mif1', 'miaf', 'MA1B'], 'image/avif'],
  [['avis', 'avis', 'msf1', 'iso8', 'mif1'], 'image/avif'],
  [['mif1', 'mif1', 'avif', 'miaf'], 'image/avif'],
  [['msf1', 'msf1', 'avis', 'iso8'], 'image/avif'],
  [['heic', 'mif1', 'heic'], 'image/heic'],
  [['heix', 'mif1', 'heix'], 'image/heic'],
  [['mif1', 'mif1', 'heic'], 'image/heic'],
  [['msf1', 'msf1', 'hevc', 'iso8'], 'image/heic'],
  [['hevc', 'msf1', 'hevc'], 'image/heic'],
  [['MiHB', 'mif1', 'heic'], 'image/heic'],
  [['mif1', 'mif1', 'miaf'], 'image/heif'],
  [['avci', 'mif1', 'avci'], 'image/heif'],
  [['M4P ', 'M4A ', 'isom'], 'audio/mp4'],
])('an ISO media file is recognised by its first brand and its compatible ones: %j is %s', (brands, type) => {
  expect(mediaTypeOf(bytesOf(ftyp(...brands)))).toBe(type)
})

test.each(['styp', 'sidx', 'moof'])(
  'a part of a streamed film that begins with the box %s is an MP4',
  (box) => expect(mediaTypeOf(bytesOf(`\0\0\0\x18${box}msdh${zeros}`))).toBe('video/mp4'),
)

test.each(['moov', 'wide', 'mdat', 'free', 'skip', 'pnot'])(
  'a film that begins with the box %s in place of its brands is a QuickTime film',
  (box) => expect(mediaTypeOf(bytesOf(`\0\0\x10\0${box}${zeros}`))).toBe('video/quicktime'),
)

const svg = 'image/svg+xml'

test.each([
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', svg],
  ['<svg/>', svg],
  ['\ufeff  \n<?xml version="1.0" encoding="UTF-8"?>\n<!-- made by a > model --><svg\nwidth="1">', svg],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd">\n<svg width="1">', svg],
  [
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [\n<!ENTITY a "http://x/">\n]>\n<svg xmlns="&a;">',
    svg,
  ],
  ['<!DOCTYPE html><svg xmlns="http://www.w3.org/2000/svg">', undefined],
  ['<html><svg>', undefined],
  ['<svgx>', undefined],
  ['text <svg>', undefined],
  ['<?php ?><svg>', undefined],
])('an SVG is recognised by its first tag: %j is %s', (text, type) => {
  expect(mediaTypeOf(new TextEncoder().encode(text))).toBe(type)
})

test('an SVG is recognised behind a comment of up to 4000 bytes', () => {
  const drawing = (comment: number) => bytesOf(`<!--${'x'.repeat(comment)}--><svg>`)
  expect(mediaTypeOf(drawing(4000))).toBe(svg)
  expect(mediaTypeOf(drawing(judgedBytes))).toBeUndefined()
})

test('an SVG is not recognised by its declared type', () => {
  expect(mediaTypeOf(Uint8Array.of(1, 2, 3), svg)).toBe(unknown)
  expect(mediaTypeOf(bytesOf('<svg>'), 'text/html')).toBe(svg)
})

test.each([
  '<!doctype html><title>502 Bad Gateway</title>',
  '\n\n  <html lang="en">',
  '<p>A page with a NUL \0</p>',
  '{"error":{"message":"Your prompt was blocked"}}',
  '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
  'upstream connect error',
  '{"error":"Node \u0001 has failed"}',
  ' [ {"error":"\u0000"} ]',
  'GIF89a is not the beginning of this text',
  'ID3 tags are missing.',
  '\x1b[31mError\x1b[0m',
  'x',
  '',
])('a text is no media, whatever type is declared: %j', (text) => {
  for (const bytes of [bytesOf(text), new TextEncoder().encode(`\ufeff${text} \u00e4\u5b57`)])
    for (const type of ['image/png', 'video/mp4', 'image/x-tga', ''])
      expect(mediaTypeOf(bytes, type)).toBeUndefined()
})

test.each(['utf16le', 'utf-16be'])('a page in %s is no media', (encoding) => {
  for (const mark of ['', '\ufeff']) {
    const bytes = Buffer.from(`${mark}<html><title>No</title>`, 'utf16le')
    expect(mediaTypeOf(encoding === 'utf16le' ? bytes : bytes.swap16(), 'image/png')).toBeUndefined()
  }
})

test('a text that has the name of a box where a film has it is no media', () => {
  for (const text of [
    'the ftyp box is missing',
    'The free tier is over',
    'the moov atom not found',
    'ID3 tag missing',
  ])
    for (const named of ['', 'image/png', 'video/mp4', 'video/x-foo'])
      expect([text, mediaTypeOf(bytesOf(text), named)]).toEqual([text, undefined])
})

test.each([1, 6, 9])('a page that was compressed by deflate at level %i is no media', async (level) => {
  const zlib = await import('node:zlib')
  const packed = zlib.deflateSync('<!doctype html><title>502 Bad Gateway</title>'.repeat(20), { level })
  for (const named of ['', 'image/png', 'video/x-foo']) expect(mediaTypeOf(packed, named)).toBeUndefined()
})

test.each(['gzip', 'zstd'] as const)('what was compressed by %s is no media', async (format) => {
  const page = new TextEncoder().encode('<html>')
  const zlib = await import('node:zlib')
  const packed = format === 'gzip' ? zlib.gzipSync(page) : zlib.zstdCompressSync(page)
  expect(mediaTypeOf(packed, 'image/png')).toBeUndefined()
})

test('a declared type counts only for pictures and films that no bytes show', () => {
  const rare = Uint8Array.of(0, 0, 2, 0)
  expect(mediaTypeOf(rare, 'Image/X-TGA')).toBe('image/x-tga')
  for (const type of [
    'image/png',
    'image/tiff',
    'audio/mpeg',
    'text/html',
    'image/svg+xml',
    'image/png\r\nx: y',
  ])
    expect(mediaTypeOf(rare, type)).toBe(unknown)
})

test('only the beginning of a file is read to recognise its type, however long it is', async () => {
  const texts = [`${'<!---->'.repeat(3_000_000)}<svg>`, '<!DOCTYPE svg ['.repeat(1_000_000)]
  const hostile = texts.map((text) => new TextEncoder().encode(text))
  const cpuMs = await cpuTimeOf(() => {
    for (let time = 0; time < 100; time++)
      for (const bytes of hostile) expect(mediaTypeOf(bytes)).toBeUndefined()
  })
  expect(cpuMs).toBeLessThan(5000)
})
