import { deflateSync } from 'node:zlib'
import { checkPicture } from '@genmount/provider-kit/workers'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { openPicture as openToEnlarge } from '../../packages/provider-esrgan/src/enlarge/open-picture.ts'
import { openPicture as openToEdit } from '../../packages/provider-procedural/src/edit/open-picture.ts'
import {
  gifOfFrames,
  jpegOfScans,
  pngChunk,
  pngText,
  pngWith,
  repeated,
  segment,
  webpChunk,
  webpOfFrames,
} from './hostile-pictures.ts'

const scans = (most: number) => `image has too many scans: a JPEG of its size may have at most ${most}.`
const frames = 'image has too many frames: an animation may have at most 5000.'
const text = 'image has too much text: a PNG may have at most 16 MiB with its profile.'
const otherFormat = 'image could not be decoded: it must be an intact PNG, JPEG, WebP or GIF picture.'
const longText = deflateSync(Buffer.alloc(17_000_000, 0x20))
const flat = sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })

function arithmetic(): Buffer {
  const file = jpegOfScans(2, 8, 8)
  file[file.indexOf('\xff\xc2', 'latin1') + 1] = 0xca
  return file
}

const hostile: readonly (readonly [string, () => Buffer | Promise<Buffer>, string])[] = [
  ['a JPEG of 101 scans', () => jpegOfScans(101, 8, 8), scans(100)],
  ['a JPEG of 40 million pixels and 26 scans', () => jpegOfScans(26, 6300, 6300), scans(25)],
  [
    'a JPEG of 101 scans behind a segment that pretends to be the end',
    () => jpegOfScans(101, 8, 8, segment(0xe1, Buffer.from('\xff\xd9', 'latin1'))),
    scans(100),
  ],
  [
    'a JPEG of a million segments',
    () => jpegOfScans(2, 8, 8, repeated(1_000_000, segment(0xe9))),
    'image has too many segments: a JPEG may have at most 5000.',
  ],
  [
    'a JPEG with arithmetic coding',
    arithmetic,
    'image must be a baseline or progressive JPEG with Huffman coding.',
  ],
  ['a PNG with 500 MB of texts', () => pngWith(repeated(10, pngText(50_000_000))), text],
  ['a PNG with many texts of 1 MB', () => pngWith(repeated(17, pngText(1_000_000))), text],
  [
    'a PNG with a long international text',
    () => pngWith(pngChunk('iTXt', Buffer.from('Comment\0\x01\0en\0Anmerkung\0'), longText)),
    text,
  ],
  [
    'a PNG with a long text whose end is broken',
    () => pngWith(pngChunk('zTXt', Buffer.from('Comment\0\0'), longText.fill(0xff, longText.length - 4))),
    text,
  ],
  ['a PNG with a long profile', () => pngWith(pngChunk('iCCP', Buffer.from('p3\0\0'), longText)), text],
  [
    'a PNG of a million texts',
    () => pngWith(repeated(1_000_000, pngText(1))),
    'image has too many texts: a PNG may have at most 1000.',
  ],
  ['a WebP of 5001 frames', () => webpOfFrames(5001), frames],
  [
    'a WebP of a million chunks',
    () => webpOfFrames(1, repeated(1_000_000, webpChunk('abcd'))),
    'image has too many chunks: a WebP may have at most 20000.',
  ],
  ['a GIF of 5001 frames', () => gifOfFrames(5001), frames],
  [
    'an SVG',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    otherFormat,
  ],
  ['a TIFF', () => flat.clone().tiff().toBuffer(), otherFormat],
  ['an AVIF', () => flat.clone().avif().toBuffer(), otherFormat],
]

const files = new Map<string, Promise<Buffer>>()

/** Each file is made once for both uses. */
function madeOnce(name: string, make: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  const file = files.get(name) ?? Promise.resolve(make())
  files.set(name, file)
  return file
}

describe.each([
  ['edited', (file: Uint8Array) => openToEdit(file)],
  ['enlarged', (picture: Uint8Array) => openToEnlarge({ picture, scale: 2, maxOutputPixels: 2 ** 28 })],
] as const)('a picture to be %s', (_what, open) => {
  test.each(hostile)(
    'is refused with the reason, and not decoded, when it is %s',
    async (name, make, message) => {
      const file = await madeOnce(name, make)
      expect(() => checkPicture('image', file)).toThrow(message)
      await expect(open(file)).rejects.toMatchObject({ name: 'UnusablePictureError', message })
    },
  )

  test.each<readonly [string, () => Buffer | Promise<Buffer>]>([
    ['a JPEG of 100 scans', () => jpegOfScans(100, 400, 300)],
    ['a large JPEG of 25 scans', () => jpegOfScans(25, 4000, 2500)],
    [
      'a progressive photograph with a profile and EXIF data',
      () =>
        flat
          .clone()
          .withIccProfile('p3')
          .withExif({ IFD0: { Artist: 'a' } })
          .jpeg({ progressive: true })
          .toBuffer(),
    ],
    ['a PNG with 16 texts of 1 MB', () => pngWith(repeated(16, pngText(1_000_000)))],
    [
      'a PNG with a broken text',
      () =>
        pngWith(pngChunk('zTXt', Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(99)).fill(0xff, 4))),
    ],
    ['a PNG with a profile', () => flat.clone().withIccProfile('p3').png().toBuffer()],
    ['a WebP of 5000 frames', () => webpOfFrames(5000)],
    ['a still WebP', () => flat.clone().webp().toBuffer()],
    ['a GIF of 5000 frames', () => gifOfFrames(5000)],
  ])('is opened when it is %s', async (name, make) => {
    const file = await madeOnce(name, make)
    checkPicture('image', file)
    await expect(open(file)).resolves.toBeDefined()
  })
})
