import { asciiIn, joined, numbersIn, uint32 } from '../bytes/binary.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** The head of a box of an ISO base media file (ISO/IEC 14496-12, 4.2), with the first bytes of its content. */
export interface BoxHead {
  /** Four letters. */
  readonly type: string
  /** The length of the whole box, in bytes. `Infinity` for a box that ends with the file. */
  readonly length: number
  /** How many bytes are in front of the content. */
  readonly headBytes: number
  /** The id of a box `uuid`, in hexadecimal. Empty in other boxes. */
  readonly uuid: string
}

/** The ids of boxes `uuid`: XMP (XMP Specification Part 3, 1.3.6) and C2PA (C2PA 2.2, A.5.1). */
export const boxId = {
  xmp: 'be7acfcb97a942e89c71999491e3afac',
  c2pa: 'd8fec3d61b0e483c92975828877ec481',
}

/** Reads the head of the next box, without taking it. @returns `undefined` at the end of the file */
export async function nextBox(file: ByteSource): Promise<BoxHead | undefined> {
  const head = await file.peek(32)
  return head.byteLength === 0 ? undefined : boxIn(head)
}

/** Reads the head of a box. @param bytes the box, or at least its first 32 bytes */
export function boxIn(bytes: Uint8Array): BoxHead {
  if (bytes.byteLength < 8) throw new UnmarkableError('it is cut off')
  const numbers = numbersIn(bytes)
  const type = asciiIn(bytes, 4, 8)
  const isLong = numbers.getUint32(0) === 1
  if (isLong && bytes.byteLength < 16) throw new UnmarkableError('it is cut off')
  const size = isLong ? Number(numbers.getBigUint64(8)) : numbers.getUint32(0)
  const start = isLong ? 16 : 8
  const length = size === 0 ? Infinity : size
  const isUuid = type === 'uuid'
  const headBytes = start + (isUuid ? 16 : 0)
  if (length < headBytes || (isUuid && bytes.byteLength < headBytes))
    throw new UnmarkableError(`its box ${JSON.stringify(type)} is cut off, or no box`)
  const id = isUuid ? [...bytes.subarray(start, headBytes)] : []
  return { type, length, headBytes, uuid: id.map((byte) => byte.toString(16).padStart(2, '0')).join('') }
}

/** The bytes of a type or id in hexadecimal. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

/** A box with this content. */
export function boxOf(type: Uint8Array, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, part) => sum + part.byteLength, 8)
  return joined(uint32(length), type, ...content)
}
