import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes sure that the folder is there, and stays there should the power fail. What it creates only this user can enter. */
export async function createFolder(folder: string): Promise<void> {
  const outermost = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (outermost === undefined) return
  // Deno answers `/` where it may not look at the parents; then all of them are tried.
  for (let at = folder; at !== dirname(at) && at.length >= outermost.length; at = dirname(at))
    await syncFolder(dirname(at)).catch(ignoreForbidden)
}

/** A parent that may be entered but not read can't be synced, and is no reason to store nothing. */
function ignoreForbidden(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EACCES' && error.name !== 'NotCapable') throw error
}

/** Returns once the names in the folder would survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows can't open a folder.
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } catch (error) {
    // fsync(2): this file system does not know it for folders.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    await handle.close()
  }
}
