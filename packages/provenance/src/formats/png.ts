import { ascii, asciiIn, joined, numbersIn, uint32 } from '../bytes/binary.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** The keyword, then four zeros: not compressed, and neither a language nor a translated keyword. */
const xmpHead = ascii('XML:com.adobe.xmp\0\0\0\0\0')

/**
 * Marks a PNG by an `iTXt` chunk in front of the pixels (XMP Specification Part 3, 1.1.5; PNG, third edition, 11.3.3.4). The
 * manifest of C2PA is in a chunk `caBX` (C2PA 2.2, A.3.3).
 */
export async function* markedPng(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  yield await file.take(8)
  for (;;) {
    const head = await file.peek(8)
    const type = asciiIn(head, 4)
    if (!/^[A-Za-z]{4}$/.test(type)) throw new UnmarkableError('it is cut off, or no PNG')
    const length = numbersIn(head).getUint32(0)
    if (type === 'caBX') slot.manifest()
    if (type === 'IDAT' || type === 'IEND') yield* chunkOf(slot.packetFor(undefined))
    if (type === 'iTXt' && (await isXmp(file))) yield* await markedChunk(file, slot, length)
    else yield* file.pass(length + 12)
    if (type === 'IEND') return yield* file.rest()
  }
}

async function isXmp(file: ByteSource): Promise<boolean> {
  return asciiIn(await file.peek(8 + 18), 8) === 'XML:com.adobe.xmp\0'
}

/** The chunk of the packet that the file has, or of the packet in its place. */
async function markedChunk(file: ByteSource, slot: MarkSlot, length: number): Promise<readonly Uint8Array[]> {
  const chunk = await file.take(length + 12)
  const data = chunk.subarray(8, 8 + length)
  if (data[18] !== 0) throw new UnmarkableError('its XMP is compressed')
  const language = data.indexOf(0, 20)
  const keyword = language < 0 ? -1 : data.indexOf(0, language + 1)
  if (keyword < 0) throw new UnmarkableError('its XMP can not be read')
  const packet = slot.packetFor(data.subarray(keyword + 1))
  return packet ? chunkOf(packet) : [chunk]
}

function chunkOf(packet: Uint8Array | undefined): readonly Uint8Array[] {
  if (!packet) return []
  const checked = joined(ascii('iTXt'), xmpHead, packet)
  return [joined(uint32(checked.byteLength - 4), checked, uint32(crc32(checked)))]
}

/** The checksum of a chunk: PNG, third edition, annex D. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
