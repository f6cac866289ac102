import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * For a measured process, on every runtime: prints a greeting, and an answer to each question, as lines of JSON. The
 * process ends when its standard input does.
 */
export function answerParent(greeting: object, answer: (question: never) => unknown): void {
  const say = (value: unknown) => console.log(JSON.stringify(value ?? null))
  createInterface({ input: process.stdin })
    .on('line', async (question) => say(await answer(JSON.parse(question) as never)))
    .on('close', () => process.exit(0))
  say(greeting)
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
