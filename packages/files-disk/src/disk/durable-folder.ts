import fs from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const open = promisify(fs.open)
const fsync = promisify(fs.fsync)

/**
 * Creates the folder and its missing parents, in such a way that they survive a power failure. Only this user may enter
 * the folders that it creates. It does not use `recursive` of Node, which never ends where the system can't make a
 * folder, such as in /proc.
 */
export async function createFolder(folder: string): Promise<void> {
  try {
    await createOne(folder)
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    await createFolder(parent)
    await createOne(folder)
  }
}

/** Creates the folder if it does not exist. */
async function createOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const stats = await stat(folder).catch(() => undefined)
    if (stats?.isDirectory()) return
    throw error
  }
  await syncFolder(dirname(folder)).catch(ignoreForbidden)
}

/** A parent folder that this process may enter but not read can't be synced. Files are stored nevertheless. */
function ignoreForbidden(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EACCES' && error.name !== 'NotCapable') throw error
}

/**
 * Resolves when the names of the files in the folder are on the disk, so that they survive a power failure.
 */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can't open a folder as a file.
  if (process.platform === 'win32') return
  const descriptor = await open(folder, 'r')
  try {
    await fsync(descriptor)
  } catch (error) {
    // EINVAL, see fsync(2): this file system can't sync folders.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    // It waits for no disk.
    fs.closeSync(descriptor)
  }
}

/** The next sync of each folder that is being synced. */
const nextSyncs = new Map<string, { readonly done: Promise<void>; next?: Promise<void> }>()

/** As {@link syncFolder}. Calls that come while a folder is being synced share the sync that follows. */
export function syncFolderTogether(folder: string): Promise<void> {
  const current = nextSyncs.get(folder)
  if (!current) return begunSync(folder)
  current.next ??= current.done.then(
    () => begunSync(folder),
    () => begunSync(folder),
  )
  return current.next
}

function begunSync(folder: string): Promise<void> {
  const done = syncFolder(folder)
  const sync = { done }
  nextSyncs.set(folder, sync)
  const end = () => {
    if (nextSyncs.get(folder) === sync) nextSyncs.delete(folder)
  }
  done.then(end, end)
  return done
}
