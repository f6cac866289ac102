import process from 'node:process'
import { createInterface } from 'node:readline'

/**
 * What a server prints about itself, as one line of JSON, when it starts to listen and each time it is asked.
 */
export interface ServerState {
  readonly port: number
  /** The ids of the jobs that clients may read. */
  readonly ids: readonly string[]
  /** The CPU time of all threads of the process since its start. */
  readonly cpuMs: number
  /** How many jobs the provider has accepted and not finished. */
  readonly openJobs: number
}

/** Prints the port of the server, and its state for each line on stdin. Ends the process when stdin ends. */
export function announce(port: number, ids: readonly string[], openJobs = () => 0): void {
  const say = (told: readonly string[]) => {
    const { user, system } = process.cpuUsage()
    const state: ServerState = { port, ids: told, cpuMs: (user + system) / 1000, openJobs: openJobs() }
    console.log(JSON.stringify(state))
  }
  createInterface(process.stdin)
    .on('line', () => say([]))
    // `exit` lets Node write its profile.
    .on('close', () => process.exit(0))
  say(ids)
}
