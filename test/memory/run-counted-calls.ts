import { fileURLToPath } from 'node:url'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'

const script = fileURLToPath(new URL('counted-calls.ts', import.meta.url))

/** What the calls of a memory store cost. */
export interface CountedCalls {
  /** For each call, how often blocks of the store's code ran. */
  readonly counts: Readonly<Record<string, number>>
  /** How many microseconds each call of a sweep takes if nothing is due. */
  readonly sweepUs: readonly number[]
}

/** Calls each method of a memory store that holds so many jobs, in a process of its own. */
export async function runCountedCalls(jobs: number): Promise<CountedCalls> {
  const [binary, ...args] = runtimes.node
  const flags = ['--max-old-space-size=8192', ...args]
  return JSON.parse(await outputOf([binary, ...flags, script, String(jobs)], { timeoutMs: 500_000 }))
}

/**
 * The calls that take more work with many jobs than they may. A search may take a few steps more, and what is skipped or
 * has expired is counted in runs of hundreds.
 */
export function growing({ counts: few }: CountedCalls, { counts: many }: CountedCalls): readonly string[] {
  return Object.entries(many)
    .filter(([call, count]) => count > 5 * few[call]! + 100)
    .map(([call, count]) => `${call}: ${few[call]} -> ${count}`)
}
