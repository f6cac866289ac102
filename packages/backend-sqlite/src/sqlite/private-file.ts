import { closeSync, fchmodSync, openSync } from 'node:fs'

/** Read and written by the user of this process alone: prompts, inputs and links to outputs are in the file. */
const ownerOnly = 0o600

/**
 * Makes an empty file with these rights, whatever the process's umask, before SQLite would make one that others may read.
 * Leaves a file that is there as it is, with the rights that somebody may have given it on purpose. Where none can be made,
 * whoever opens the file is told why.
 */
export function makePrivateFile(file: string, rights = ownerOnly): void {
  let descriptor: number
  try {
    // Never opens what is there: closing it again would drop the locks that this process has on it.
    descriptor = openSync(file, 'wx', ownerOnly)
  } catch {
    return
  }
  try {
    fchmodSync(descriptor, rights)
  } finally {
    closeSync(descriptor)
  }
}
