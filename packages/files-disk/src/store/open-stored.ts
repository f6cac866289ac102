import { constants, open, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { readRecord, type StoredRecord } from './stored-record.ts'

/**
 * If the file was replaced by something else, these flags make `open` refuse a symbolic link and not wait for a pipe.
 */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a stored file and checks its length. The caller must close the handle.
 * @returns `undefined` when there is no such file
 * @throws Error when the file is damaged
 */
export async function openStored(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly record: StoredRecord } | undefined> {
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!handle) return undefined
  try {
    return { handle, record: await readRecord(handle) }
  } catch (cause) {
    await handle.close()
    throw new Error(`${basename(path)} is damaged, ${(cause as Error).message}`, { cause })
  }
}
