import fs from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * How many bytes are read, written or hashed at a time. This limits the memory that is used, and how long a hash blocks
 * the event loop.
 */
export const sliceBytes = 32 * 1024

const write = promisify(fs.write)
const writev = promisify(fs.writev)

/**
 * Writes all of `bytes` after what was written before. It uses a loop, because a single write to a nearly full disk may
 * store only a part.
 */
export async function writeExactly(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await write(descriptor, bytes, done, bytes.byteLength - done, null)
    done += bytesWritten
  }
}

/** Writes several arrays, one after the other, as {@link writeExactly} does. */
export async function writeAll(descriptor: number, arrays: readonly Uint8Array[]): Promise<void> {
  let { bytesWritten } = await writev(descriptor, arrays)
  for (const bytes of arrays) {
    if (bytesWritten < bytes.byteLength) await writeExactly(descriptor, bytes.subarray(bytesWritten))
    bytesWritten = Math.max(0, bytesWritten - bytes.byteLength)
  }
}

/** Reads `length` bytes from `start` on. @throws RangeError when the file ends before that */
export async function readExactly(
  handle: FileHandle,
  start: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length)
  for (let done = 0; done < length;) {
    const { bytesRead } = await handle.read(bytes, done, length - done, start + done)
    if (bytesRead === 0) throw new RangeError('it ends too early')
    done += bytesRead
  }
  return bytes
}
