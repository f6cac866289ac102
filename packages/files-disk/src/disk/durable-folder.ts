import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates the folder if it does not exist, in such a way that it survives a power failure. Only this user may
 * enter the folders that it creates.
 */
export async function createFolder(folder: string): Promise<void> {
  const outermost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (outermost === undefined) return
  // Deno returns `/` if it may not read the parent folders. Then the loop tries all of them.
  for (let at = folder; at !== dirname(at) && at.length >= outermost.length; at = dirname(at))
    await syncFolder(dirname(at)).catch(ignoreForbidden)
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
