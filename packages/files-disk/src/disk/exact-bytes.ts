import type { FileHandle } from 'node:fs/promises'

/** The most to read, write or hash at a time: bounds the memory, and how long a hash holds the event loop. */
export const sliceBytes = 32 * 1024

/** Writes all of `bytes` where the last write ended. A nearly full disk takes a part and refuses the rest. */
export async function writeExactly(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done)
    done += bytesWritten
  }
}

/** Reads `length` bytes from `start` on. @throws when the file ends before */
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
