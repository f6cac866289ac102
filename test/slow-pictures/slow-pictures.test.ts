import { constants, crc32, deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openPicture as openToEnlarge } from '../../packages/provider-esrgan/src/enlarge/open-picture.ts'
import { openPicture as openToEdit } from '../../packages/provider-procedural/src/edit/open-picture.ts'

/**
 * A small PNG of 256 million black pixels, of 16 bits a channel and in a colour space that has to be converted, which takes
 * some seconds to decode. It breaks off at its end, so that without a limit it is refused for another reason.
 */
async function slowPicture(): Promise<Uint8Array> {
  const [width, height, rowsAtOnce] = [32_000, 8000, 10]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([16, 6], 8)
  // A deflated piece that ends with a full flush can be repeated to make a long stream.
  const rows = Buffer.alloc(rowsAtOnce * (1 + width * 8))
  // PNG filter type 4 (Paeth), which takes longest to decode.
  for (let at = 0; at < rows.length; at += 1 + width * 8) rows[at] = 4
  const piece = deflateRawSync(rows, { finishFlush: constants.Z_FULL_FLUSH })
  const pieces = Array.from({ length: height / rowsAtOnce }, () => piece)
  const p3 = { create: { width: 1, height: 1, channels: 3, background: 'black' } } as const
  const tiny = await sharp(p3).withIccProfile('p3').png().toBuffer()
  const profileAt = tiny.indexOf('iCCP') - 4
  return Buffer.concat([
    tiny.subarray(0, 8),
    chunk('IHDR', header),
    tiny.subarray(profileAt, profileAt + 12 + tiny.readUInt32BE(profileAt)),
    chunk('IDAT', Buffer.concat([Buffer.from([0x78, 0x01]), ...pieces])),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Length, type, data and checksum, as PNG has them. */
function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

test.each([
  [
    'edited',
    async (file: Uint8Array) => {
      const picture = await openToEdit(file, { maxPixels: 1e9, decodeSeconds: 1 })
      return picture.fill(1080, 1080)
    },
  ],
  [
    'enlarged',
    (picture: Uint8Array) =>
      openToEnlarge({ picture, scale: 2, maxOutputPixels: 1e10 }, { maxOutputSide: 1e6, decodeSeconds: 1 }),
  ],
])('a picture that takes longer to decode than decodeSeconds is refused and not %s', async (_what, open) => {
  await expect(open(await slowPicture())).rejects.toMatchObject({
    name: 'UnusablePictureError',
    message: 'image takes longer to decode than 1 s.',
  })
})
