import { expect } from 'vitest'
import { askAt } from '../suite/shared-server.ts'
import { printedBy } from '../processes/run-program.ts'
import type { Runtime } from '../processes/runtimes.ts'

/** Expects a script with `printSuites` to print on a runtime that its cases hold, and then to end by itself. */
export async function suitesHoldOn(
  runtime: Runtime,
  script: URL,
  cases: 'all' | 'light',
  ...args: readonly string[]
): Promise<void> {
  const env = { [askAt]: process.env[askAt] ?? '' }
  const verdicts = (await printedBy(runtime, script, {
    args: [...args, cases],
    env,
    timeoutMs: 500_000,
  })) as object
  expect(Object.keys(verdicts).length).toBeGreaterThan(10)
  expect(Object.entries(verdicts).filter(([, verdict]) => verdict !== 'holds')).toEqual([])
}
