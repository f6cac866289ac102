import type { Suite } from '@genmount/testing'
import { expect } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import type { Runtime } from '../processes/runtimes.ts'

/** The titles of all cases of some suites. */
export function titlesOf(...suites: readonly ((create: () => never) => Suite)[]): string[] {
  const titles = suites.flatMap((suite) =>
    Object.keys(
      suite(() => {
        throw new Error('Only the titles are of interest.')
      }),
    ),
  )
  expect(new Set(titles).size).toBe(titles.length)
  return titles
}

/** Expects a script with `printSuites` to print on a runtime that these cases hold, and then to end by itself. */
export async function suitesHoldOn(
  runtime: Runtime,
  script: URL,
  titles: readonly string[],
  ...args: readonly string[]
): Promise<void> {
  const verdicts = await printedBy(runtime, script, { args: [...args, JSON.stringify(titles)] })
  expect(verdicts).toEqual(Object.fromEntries(titles.map((title) => [title, 'holds'])))
}
