import { expect, test } from 'vitest'
import { mediaTypeOf } from './media-type.ts'

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

test.each([
  ['RIFF\x24\0\0\0WAVEfmt ', 'audio/wav'],
  ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
  ['ID3\x04\0\0\0\0\0\0\0\0', 'audio/mpeg'],
  ['\xff\xfb\x90\x64\0\0\0\0\0\0\0\0', 'audio/mpeg'],
  ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
  ['OggS\0\x02\0\0\0\0\0\0', 'audio/ogg'],
  ['fLaC\0\0\0\x22\x10\0\x10\0', 'audio/flac'],
  ['\0\0\0\x1cftypM4A \0\0\0\0', 'audio/mp4'],
  ['\0\0\0\x1cftypisom\0\0\x02\0', 'video/mp4'],
  ['\0\0\0\x18ftypheic\0\0\0\0', 'image/heic'],
])('audio, image and video files are recognized by their first 12 bytes: %j is %s', (beginning, type) => {
  expect(mediaTypeOf(bytesOf(beginning).subarray(0, 12), 'image/x-other')).toBe(type)
})

test('a declared audio type without audio bytes is not accepted', () => {
  expect(mediaTypeOf(bytesOf('<html><body>'), 'audio/mpeg')).toBe('application/octet-stream')
})
