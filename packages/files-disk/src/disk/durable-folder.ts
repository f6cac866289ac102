import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates the folder if it does not exist, in such a way that it survives a power failure. Only this user may
 * enter the folders that it creates.
 */
export async function createFolder(folder: string): Promise<void> {
  for (const created of await makeFolders(folder)) await syncFolder(dirname(created)).catch(ignoreForbidden)
}

/**
 * Makes the folder and those above it that do not exist. Not with `recursive` of Node, which tries for ever where the
 * system makes no folder, such as in /proc.
 * @returns the folders that were made
 */
async function makeFolders(folder: string): Promise<readonly string[]> {
  try {
    return await makeFolder(folder)
  } catch (error) {
    const parent = dirname(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw error
    return [...(await makeFolders(parent)), ...(await makeFolder(folder))]
  }
}

/** Makes the folder, unless it is there. */
async function makeFolder(folder: string): Promise<readonly string[]> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return [folder]
  } catch (error) {
    const there = await stat(folder).catch(() => undefined)
    if (there?.isDirectory()) return []
    throw error
  }
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
  const handle = await open(folder)
  try {
    await handle.sync()
  } catch (error) {
    // EINVAL, see fsync(2): this file system can't sync folders.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    await handle.close()
  }
}
