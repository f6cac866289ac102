import { createHash } from 'node:crypto'
import type { ByteRange } from '@genmount/core'
import { readExactly, sliceBytes } from '../disk/exact-bytes.ts'
import { openStored } from './open-stored.ts'
import type { StoredRecord } from './stored-record.ts'

/**
 * The bytes of a file that was opened before. It holds a file handle from the first pull until the end, an
 * error or a cancel. When the whole file is read, the last slice is given only if the SHA-256 of all bytes is
 * right.
 * @param opened the record that the file had when it was opened
 * @throws Error when the file was deleted, replaced or damaged since then
 */
export async function* storedContent(
  path: string,
  opened: StoredRecord,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const stored = await openStored(path)
  if (stored?.record.sha256 !== opened.sha256) {
    await stored?.handle.close()
    throw new Error(`The stored file ${path} was deleted or replaced`)
  }
  const { handle } = stored
  const stop = Math.min(end + 1, opened.size)
  const hash = start === 0 && stop === opened.size ? createHash('sha256') : undefined
  try {
    for (let at = start; at < stop; at += sliceBytes) {
      const slice = await readExactly(handle, at, Math.min(sliceBytes, stop - at))
      hash?.update(slice)
      const isLast = at + slice.byteLength === stop
      if (isLast && hash && hash.digest('hex') !== opened.sha256)
        throw new Error(`The stored file ${path} is damaged: its SHA-256 is not ${opened.sha256}`)
      yield slice
    }
  } finally {
    await handle.close()
  }
}
