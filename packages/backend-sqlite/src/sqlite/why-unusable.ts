import { accessSync, constants, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/**
 * Says for the operator why SQLite can't open the file, and what to do. SQLite itself says
 * `unable to open database file` for most reasons.
 * @returns `undefined` when the error itself says enough
 */
export function whyUnusable(file: string, error: unknown): string | undefined {
  // The messages are SQLite's own: on Deno, an error of opening has no code.
  const { message = '' } = error as { message?: string }
  if (/unable to open database file|readonly database/.test(message)) return whyClosed(file)
  if (message.includes('file is not a database'))
    return 'it is not a SQLite database; give the path of another file, or move this one away'
  if (message.includes('malformed')) return `it is damaged (${message}); put a backup in its place`
  return undefined
}

/** Finds the error in the path. */
function whyClosed(file: string): string | undefined {
  const folder = dirname(file)
  const from = isAbsolute(file) ? '' : ` (the working directory is ${process.cwd()})`
  const fault = faultOf(() => statSync(folder))
  if (fault === 'ENOENT') return `the folder ${folder} does not exist; create it${from}`
  if (fault === 'ENOTDIR' || (!fault && !statSync(folder).isDirectory()))
    return `${folder} is not a folder; give another path${from}`
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    return `it is a folder; give the path of a file, such as ${join(file, 'jobs.db')}`
  const { R_OK, W_OK, X_OK } = constants
  // SQLite needs files beside the database.
  const closed = [
    { path: `the folder ${folder}`, fault: faultOf(() => accessSync(folder, R_OK | W_OK | X_OK)) },
    { path: 'it', fault: faultOf(() => accessSync(file, R_OK | W_OK)) },
  ].find((place) => place.fault !== undefined && place.fault !== 'ENOENT')
  if (!closed) return undefined
  if (closed.fault === 'EROFS') return `its disk is read-only; give a path on another disk${from}`
  return `this process may not write to ${closed.path}; give its user the right, or give another path${from}`
}

function faultOf(look: () => unknown): string | undefined {
  try {
    look()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
