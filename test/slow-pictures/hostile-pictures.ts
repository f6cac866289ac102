/** Small files that are pictures by their form, and cost a decoder far more than their pixels do. */
import { Buffer } from 'node:buffer'
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib'

const bytesOf = (...values: readonly number[]): Buffer => Buffer.from(values)
/** The same bytes again and again. */
export const repeated = (times: number, bytes: Uint8Array): Buffer =>
  Buffer.alloc(times * bytes.length, bytes)
const uint16 = (value: number): Buffer => bytesOf(value >> 8, value & 255)

/** A segment of a JPEG: marker, length, content (ITU-T T.81, B.1.1). */
export function segment(marker: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([bytesOf(0xff, marker), uint16(content.length + 2), content])
}

/**
 * A grey progressive JPEG whose scans say that no block has any detail. Each makes the decoder go over all details of all
 * blocks again.
 * @param scans how many there are
 * @param more segments in front of the picture
 */
export function jpegOfScans(
  scans: number,
  width: number,
  height: number,
  ...more: readonly Buffer[]
): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const scan = (from: number, to: number, bits: number, data: Buffer) =>
    Buffer.concat([segment(0xda, bytesOf(1, 1, 0, from, to, bits)), data])
  // One bit a block: the difference to the last block is zero.
  const first = scan(0, 0, 0, Buffer.alloc(Math.ceil(blocks / 8)))
  // One code for 16,384 blocks without detail: `0`, and 14 zeros for how many there are beyond that.
  const codes = Buffer.alloc(Math.ceil((15 * Math.ceil(blocks / 16_384)) / 8))
  // Details without their last 13 bits, and then one bit more in each scan (ITU-T T.81, G.1.1.1.2).
  const round = Array.from({ length: 14 }, (_, at) =>
    scan(1, 63, at === 0 ? 13 : (14 - at) * 16 + 13 - at, codes),
  )
  const details = Buffer.alloc((scans - 1) * round[0]!.length, Buffer.concat(round))
  const oneCode = bytesOf(1, ...Array<number>(15).fill(0))
  return Buffer.concat([
    bytesOf(0xff, 0xd8),
    ...more,
    segment(0xdb, bytesOf(0), Buffer.alloc(64, 1)),
    segment(0xc2, bytesOf(8), uint16(height), uint16(width), bytesOf(1, 1, 0x11, 0)),
    segment(0xc4, bytesOf(0), oneCode, bytesOf(0)),
    segment(0xc4, bytesOf(0x10), oneCode, bytesOf(0xe0)),
    first,
    details,
    bytesOf(0xff, 0xd9),
  ])
}

/** Length, type, data and checksum, as PNG has them: https://www.w3.org/TR/png-3/#5Chunk-layout */
export function pngChunk(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(parts)
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}

/** A PNG of one pixel with more chunks in front of it. */
export function pngWith(...chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', bytesOf(0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0)),
    ...chunks,
    pngChunk('IDAT', deflateSync(bytesOf(0, 0))),
    pngChunk('IEND'),
  ])
}

/** Millions of zeros as zlib deflates them, without the checksum at their end. */
export function deflatedZeros(millions: number): Buffer {
  // A piece that ends with a full flush can be repeated to make a long stream.
  const piece = deflateRawSync(Buffer.alloc(1_000_000), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([bytesOf(0x78, 0x01), repeated(millions, piece)])
}

/** A compressed text of a PNG. */
export function pngText(bytes: number): Buffer {
  return pngChunk('zTXt', Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(bytes, 0x20)))
}

/** A chunk of a WebP: name, length, data, and one more byte when the length is odd. */
export function webpChunk(name: string, ...parts: readonly Uint8Array[]): Buffer {
  const data = Buffer.concat(parts)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)])
}

/** A picture of one black pixel in lossless WebP. */
const blackPixel = webpChunk('VP8L', bytesOf(0x2f, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 7))

/** A WebP whose frames are all the same: one black pixel. */
export function webpOfFrames(frames: number, ...more: readonly Uint8Array[]): Buffer {
  // At 0, 0, with 1 x 1 pixels, for 16 ms.
  const frame = webpChunk('ANMF', Buffer.alloc(12), bytesOf(16, 0, 0, 0), blackPixel)
  return webpChunk(
    'RIFF',
    Buffer.from('WEBP'),
    webpChunk('VP8X', bytesOf(2), Buffer.alloc(9)),
    webpChunk('ANIM', Buffer.alloc(6)),
    repeated(frames, frame),
    ...more,
  )
}

/** A GIF of one pixel a frame (GIF89a, appendix F for the codes). */
export function gifOfFrames(frames: number): Buffer {
  const frame = bytesOf(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0)
  return Buffer.concat([
    Buffer.from('GIF89a'),
    bytesOf(1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255),
    repeated(frames, frame),
    bytesOf(0x3b),
  ])
}
