import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/** The core for the servers, and the core for the process that puts load on them. */
export const cores = { server: '0', load: '1' } as const

export const canPin = availableParallelism() > 1 && isInstalled('taskset')

/** The command, bound to one core if the system can do that. */
export function pinned(core: string, command: readonly string[]): [binary: string, ...args: string[]] {
  const [binary, ...args] = canPin ? ['taskset', '-c', core, ...command] : command
  return [binary!, ...args]
}

/** Whether a program of this name is on the PATH. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
