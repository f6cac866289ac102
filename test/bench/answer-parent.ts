import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a measured process does when it is asked, by name. */
export type Calls = Readonly<Record<string, (...given: never[]) => unknown>>

/**
 * For a measured process, on every runtime: answers each question, a line with the name of a call and what it is given, by
 * a line of JSON. The process ends when its standard input does.
 */
export function answerParent(calls: Calls): void {
  createInterface({ input: process.stdin })
    .on('line', async (question) => {
      const [name, ...given] = JSON.parse(question) as [string, ...never[]]
      console.log(JSON.stringify((await calls[name]!(...given)) ?? null))
    })
    .on('close', () => process.exit(0))
}

/** The CPU time of all threads of this process since its start, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The heap in use after garbage collection, in bytes. Needs `--expose-gc`. */
export async function settledHeap(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    await sleep(100)
    globalThis.gc!()
  }
  return process.memoryUsage().heapUsed
}
