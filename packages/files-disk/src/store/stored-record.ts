import type { FileHandle } from 'node:fs/promises'
import { readExactly } from '../disk/exact-bytes.ts'

/**
 * The data about a stored file. The record is written after the content into the same file, so that neither
 * exists without the other.
 */
export interface StoredRecord {
  readonly key: string
  readonly contentType: string
  /** The length of the content in bytes. */
  readonly size: number
  /** The SHA-256 of the content in hex. */
  readonly sha256: string
}

const mark = Buffer.from('gmf1')
const tailBytes = 4 + mark.byteLength

/**
 * The end of every file: the record as JSON, the length of this JSON (32 bits, little-endian) and the mark.
 */
export function encodeRecord(record: StoredRecord): Uint8Array {
  const json = Buffer.from(JSON.stringify(record))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.byteLength)
  return Buffer.concat([json, length, mark])
}

/**
 * Reads the record. @throws Error when the file has no record, or when its length is not what the record says
 */
export async function readRecord(handle: FileHandle): Promise<StoredRecord> {
  const stats = await handle.stat()
  if (!stats.isFile()) throw new TypeError('it is not a file')
  const tailStart = stats.size - tailBytes
  const tail = Buffer.from(await readExactly(handle, Math.max(tailStart, 0), tailBytes))
  if (!tail.subarray(4).equals(mark)) throw new TypeError('its end is missing')
  const contentSize = tailStart - tail.readUInt32LE()
  if (contentSize < 0) throw new RangeError('its start is missing')
  const json = await readExactly(handle, contentSize, tailStart - contentSize)
  const record = JSON.parse(Buffer.from(json).toString()) as StoredRecord
  if (record.size !== contentSize) throw new RangeError(`it has ${contentSize} bytes of ${record.size}`)
  return record
}
