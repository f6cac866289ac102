import type { FileHandle } from 'node:fs/promises'

/**
 * How many bytes are read, written or hashed at a time. This limits the memory that is used, and how long a hash blocks
 * the event loop.
 */
export const sliceBytes = 32 * 1024

/**
 * Writes all of `bytes` after what was written before. It uses a loop, because a single write to a nearly full disk may
 * store only a part.
 */
export async function writeExactly(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done)
    done += bytesWritten
  }
}

/** Writes several arrays, one after the other, as {@link writeExactly} does. */
export async function writeAll(handle: FileHandle, arrays: readonly Uint8Array[]): Promise<void> {
  let { bytesWritten } = await handle.writev(arrays)
  for (const bytes of arrays) {
    if (bytesWritten < bytes.byteLength) await writeExactly(handle, bytes.subarray(bytesWritten))
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
