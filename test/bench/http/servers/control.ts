import process from 'node:process'
import { createInterface } from 'node:readline'

/** What a server says of itself, as one line of JSON, once it listens and whenever it is asked. */
export interface ServerState {
  readonly port: number
  /** The jobs that it holds for reading. */
  readonly ids: readonly string[]
  /** Of the whole process, every thread of it, since its start. */
  readonly cpuMs: number
  /** Jobs that the provider has taken on and not finished. */
  readonly openJobs: number
}

/** Prints where the server listens, then its state for every line on stdin, and ends the process with stdin. */
export function announce(port: number, ids: readonly string[], openJobs = () => 0): void {
  const say = (told: readonly string[]) => {
    const { user, system } = process.cpuUsage()
    const state: ServerState = { port, ids: told, cpuMs: (user + system) / 1000, openJobs: openJobs() }
    console.log(JSON.stringify(state))
  }
  createInterface(process.stdin)
    .on('line', () => say([]))
    // A clean end, so that a profile gets written.
    .on('close', () => process.exit(0))
  say(ids)
}
