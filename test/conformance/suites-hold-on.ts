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

const isHeavy = (title: string) =>
  /ten thousand|many jobs are listed|a flood of|any text can be a key|only that one/.test(title)

/** The titles without those of cases with thousands of jobs or many keys, which the deep suite runs on every runtime. */
export function lightOf(titles: readonly string[]): string[] {
  const light = titles.filter((title) => !isHeavy(title))
  // If a case gets another title, its words above have to follow.
  expect(light.length).toBeLessThan(titles.length)
  return light
}

/** Expects a script with `printSuites` to print on a runtime that these cases hold, and then to end by itself. */
export async function suitesHoldOn(
  runtime: Runtime,
  script: URL,
  titles: readonly string[],
  ...args: readonly string[]
): Promise<void> {
  const options = { args: [...args, JSON.stringify(titles)], timeoutMs: 500_000 }
  const verdicts = await printedBy(runtime, script, options)
  expect(verdicts).toEqual(Object.fromEntries(titles.map((title) => [title, 'holds'])))
}
