import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** The moments at which a service may die, in the order of the life of a job. */
export const killPoints = [
  'before the insert',
  'after the insert',
  'after the provider has accepted',
  'after the handle is stored',
  'after a poll is answered',
  'before bytes are stored',
  'before the terminal write',
  'after the terminal write',
  'in the middle of a copy',
  'after a copy is stored',
] as const
export type KillPoint = (typeof killPoints)[number]

/** Kills the process if this is the chosen point, once for each `subject`. */
export type Die = (point: KillPoint, subject: string) => void

/**
 * Kills this process at one point, when a subject reaches it for the first time in any process.
 * @param folder keeps a file for each subject for which a process has died
 */
export function dieAt(chosen: KillPoint | undefined, folder: string): Die {
  return (point, subject) => {
    if (point !== chosen || hasDiedFor(join(folder, encodeURIComponent(subject)))) return
    kill()
  }
}

/** Ends this process like `kill -9`. */
export function kill(): void {
  process.kill(process.pid, 'SIGKILL')
}

function hasDiedFor(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx' })
    return false
  } catch {
    return true
  }
}
