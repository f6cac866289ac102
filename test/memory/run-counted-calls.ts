import { fileURLToPath } from 'node:url'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'

const script = fileURLToPath(new URL('counted-calls.ts', import.meta.url))

/**
 * Calls each method of a memory store that holds so many jobs, in a process of its own.
 * @returns for each call how often blocks of the store's code ran (`counted`), or how many microseconds it took (`timed`)
 */
export async function runCountedCalls(
  jobs: number,
  what: 'counted' | 'timed' = 'counted',
): Promise<Readonly<Record<string, number>>> {
  const [binary, ...args] = runtimes.node
  const flags = ['--max-old-space-size=8192', ...args]
  return JSON.parse(await outputOf([binary, ...flags, script, String(jobs), what], { timeoutMs: 500_000 }))
}

/**
 * The calls that take more work with many jobs than they may. A search may take a few steps more, and what is skipped or
 * has expired is counted in runs of hundreds.
 */
export function growing(
  few: Readonly<Record<string, number>>,
  many: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(many)
    .filter(([call, count]) => count > 5 * few[call]! + 100)
    .map(([call, count]) => `${call}: ${few[call]} -> ${count}`)
}
