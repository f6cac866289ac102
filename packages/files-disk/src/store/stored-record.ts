import type { FileHandle } from 'node:fs/promises'
import { readExactly } from '../disk/exact-bytes.ts'

/** What is known of a file. It stands behind the content, in the same file, so that neither is there without the other. */
export interface StoredRecord {
  readonly key: string
  readonly contentType: string
  /** Of the content, in bytes. */
  readonly size: number
  /** Of the content, in hex. */
  readonly sha256: string
}

const mark = Buffer.from('gmf1')
const tailBytes = 4 + mark.byteLength

/** The record as JSON, its length (32 bits, little-endian) and the mark that ends every file. */
export function encodeRecord(record: StoredRecord): Uint8Array {
  const json = Buffer.from(JSON.stringify(record))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.byteLength)
  return Buffer.concat([json, length, mark])
}

/** @throws when the file has no record or another length than the record says */
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
