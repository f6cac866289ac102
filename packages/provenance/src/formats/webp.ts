import { ascii, asciiIn, joined, numbersIn, uint32Little } from '../bytes/binary.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** Flags of the chunk `VP8X`. */
const flag = { alpha: 0x10, xmp: 0x04 }

/**
 * Marks a WebP by a chunk `XMP ` at its end (WebP Container Specification, "Metadata"). A file of one simple chunk gets the
 * chunk `VP8X` that the extended form needs. The size of the whole file stands at its beginning, so a packet that the file has
 * already can't grow. The manifest of C2PA is in a chunk `C2PA` (C2PA 2.2, A.3.6).
 */
export async function* markedWebp(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  const riff = await file.peek(30)
  if (riff.byteLength < 30) throw new UnmarkableError('it is cut off')
  const first = asciiIn(riff, 12, 16)
  const end = numbersIn(riff).getUint32(4, true) + 8
  const hasXmp = first === 'VP8X' && (riff[20]! & flag.xmp) !== 0
  const packet = hasXmp ? undefined : slot.packetFor(undefined)
  const xmp = packet ? chunkOf('XMP ', packet) : new Uint8Array()
  const extended = packet && first !== 'VP8X' ? chunkOf('VP8X', extendedHead(riff, first)) : new Uint8Array()
  const size = end - 8 + extended.byteLength + xmp.byteLength
  if (size > 0xfffffffe) throw new UnmarkableError('it has no room for the mark')

  await file.take(12)
  yield joined(riff.subarray(0, 4), uint32Little(size), riff.subarray(8, 12))
  yield extended
  if (packet && first === 'VP8X') {
    const head = (await file.take(18)).slice()
    head[8]! |= flag.xmp
    yield head
  }
  while (file.position < end) yield* markedChunk(file, slot, end)
  yield xmp
  yield* file.rest()
}

async function* markedChunk(file: ByteSource, slot: MarkSlot, end: number): AsyncGenerator<Uint8Array> {
  const head = await file.peek(8)
  const type = asciiIn(head, 0, 4)
  if (head.byteLength < 8) throw new UnmarkableError('it is cut off')
  const length = numbersIn(head).getUint32(4, true)
  const padded = 8 + length + (length % 2)
  // Some writers leave the last byte of padding out.
  const whole = Math.min(padded, end - file.position)
  if (whole < 8 + length) throw new UnmarkableError('a chunk is longer than the file')
  if (type === 'C2PA') slot.manifest()
  if (type !== 'XMP ') return yield* file.pass(whole)
  const chunk = await file.take(whole)
  if (slot.packetFor(chunk.subarray(8, 8 + length)))
    throw new UnmarkableError('it has XMP that can not grow in a stream')
  yield chunk
}

/** The content of `VP8X` for a file that has only a chunk `VP8 ` (RFC 6386, 9.1) or `VP8L` (WebP Lossless, 3). */
function extendedHead(riff: Uint8Array, type: string): Uint8Array {
  const numbers = numbersIn(riff)
  if (type === 'VP8 ' && asciiIn(riff, 23, 26) === '\x9d\x01\x2a')
    return sizes(flag.xmp, numbers.getUint16(26, true) & 0x3fff, numbers.getUint16(28, true) & 0x3fff)
  if (type === 'VP8L' && riff[20] === 0x2f) {
    const bits = numbers.getUint32(21, true)
    const hasAlpha = (bits >>> 28) & 1
    return sizes(flag.xmp | (hasAlpha ? flag.alpha : 0), (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
  }
  throw new UnmarkableError('its first chunk is not known')
}

function sizes(flags: number, width: number, height: number): Uint8Array {
  const inThreeBytes = (value: number) => uint32Little(value - 1).subarray(0, 3)
  return joined(Uint8Array.of(flags, 0, 0, 0), inThreeBytes(width), inThreeBytes(height))
}

function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const padding = new Uint8Array(data.byteLength % 2)
  return joined(ascii(type), uint32Little(data.byteLength), data, padding)
}
