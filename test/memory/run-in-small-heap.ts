import { fileURLToPath } from 'node:url'
import type { Command } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'

const script = fileURLToPath(new URL('fill-memory-backend.ts', import.meta.url))

/** What became of the creates, if the process has survived them. */
export interface Filled {
  /** How many creates got each answer. */
  readonly answers: Readonly<Record<string, number>>
  /** How many tasks the vendor has got. */
  readonly submits: number
}

/** Sends creates to a service in a process of its own, whose heap may have so many megabytes. */
export async function runInSmallHeap(
  runtime: 'node' | 'deno',
  heapMegabytes: number,
  ...args: readonly [prompts: 'narrow' | 'wide' | 'short', creates: number]
): Promise<Filled> {
  const [binary, first, ...rest] = runtimes[runtime]
  const flag = `--max-old-space-size=${heapMegabytes}`
  const flags = runtime === 'node' ? [flag, first] : [first, `--v8-flags=${flag}`]
  const command = [binary, ...flags, ...rest, script, ...args.map(String)] as unknown as Command
  return JSON.parse(await outputOf(command))
}
