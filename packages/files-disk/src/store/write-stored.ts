import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { sliceBytes, writeAll, writeExactly } from '../disk/exact-bytes.ts'
import { encodeRecord, type StoredRecord } from './stored-record.ts'

/** A file that is to be stored. */
export interface NewFile {
  readonly key: string
  readonly body: Uint8Array | ReadableStream<Uint8Array>
  readonly contentType: string
}

/** A content of at most this many bytes is written together with its record. */
const fewBytes = 1024 * 1024

const fsync = promisify(fs.fsync)
const close = promisify(fs.close)

/**
 * Writes content and record to a new file, and closes it. When the promise resolves, all bytes are on the disk. It uses
 * no `FileHandle`, because all calls of one go to another thread and back, also those that need no disk.
 * @param onDisk wraps all work on the disk, so that it can name the folder in its errors
 * @throws whatever the stream throws, unchanged; whatever `onDisk` makes of an error of the disk
 */
export async function writeStored(
  descriptor: number,
  { key, body, contentType }: NewFile,
  onDisk: <Result>(work: Promise<Result>) => Promise<Result>,
): Promise<void> {
  try {
    const hash = createHash('sha256')
    const whole = body instanceof Uint8Array && body.byteLength <= fewBytes ? body : undefined
    let size = 0
    for await (const slice of slicesOf(body)) {
      hash.update(slice)
      size += slice.byteLength
      if (!whole) await onDisk(writeExactly(descriptor, slice))
    }
    await onDisk(seal(descriptor, { key, contentType, size, sha256: hash.digest('hex') }, whole))
  } catch (error) {
    // What is not on the disk yet may have to be written there first.
    await onDisk(close(descriptor))
    throw error
  }
  // All is on the disk, so this waits for nothing.
  fs.closeSync(descriptor)
}

/** @param unwritten the content, if it is not written yet */
async function seal(descriptor: number, record: StoredRecord, unwritten?: Uint8Array): Promise<void> {
  const end = encodeRecord(record)
  await writeAll(descriptor, unwritten ? [unwritten, end] : [end])
  await fsync(descriptor)
  const { size } = fs.fstatSync(descriptor)
  if (size !== record.size + end.byteLength)
    throw new RangeError(`${size} bytes were written of ${record.size + end.byteLength}`)
}

async function* slicesOf(body: NewFile['body']): AsyncGenerator<Uint8Array> {
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    if (!(chunk instanceof Uint8Array))
      throw new TypeError('The body of a file must be a stream of Uint8Array.')
    for (let start = 0; start < chunk.byteLength; start += sliceBytes)
      yield chunk.subarray(start, start + sliceBytes)
  }
}
