import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFolder } from './durable-folder.ts'
import { inFolder } from './folder-error.ts'
import { incomingName } from './incoming-files.ts'

const write = 'Let the user of this process write there, or choose another folder.'
const move = 'Move the file in its place away, or choose another folder.'
const writable = 'Choose a folder on a disk that can be written.'
const disk = 'Make room, or choose a folder on another disk.'
const advice: Readonly<Record<string, string>> = {
  EACCES: write,
  EPERM: write,
  ENOENT: writable,
  EEXIST: move,
  ENOTDIR: move,
  EROFS: writable,
  ENOSPC: disk,
  EDQUOT: disk,
}

/**
 * Creates the folder if it does not exist, and stores and deletes a small file in it.
 * @throws Error that names the folder, and says why no file can be stored in it and what to do
 */
export async function tryFolder(folder: string): Promise<void> {
  const path = join(folder, incomingName())
  try {
    await inFolder(folder, createFolder(folder))
    await inFolder(folder, writeFile(path, 'genmount', { flag: 'wx', mode: 0o600 }))
  } catch (error) {
    const { message, cause } = error as Error
    const todo = advice[(cause as NodeJS.ErrnoException).code ?? '']
    throw todo === undefined ? error : new Error(`${message} ${todo}`, { cause })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
