import { closeSync, fchmodSync, openSync } from 'node:fs'

/**
 * Only the user of this process may read and write the file, because it holds prompts, inputs and links to
 * outputs.
 */
const ownerOnly = 0o600

/**
 * Creates an empty file with these rights, whatever the umask of the process is, because SQLite itself would create a
 * file that other users may read. An existing file keeps its rights, which the operator may have set on purpose. If the
 * file can't be created, this function does nothing: the caller then opens the file and gets the error.
 */
export function makePrivateFile(file: string, rights = ownerOnly): void {
  let descriptor: number
  try {
    // The flag `x` never opens an existing file. Opening and closing an existing file would drop the locks that this
    // process has on it.
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
