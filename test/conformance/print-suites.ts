import type { Suite } from '@genmount/testing'
import { printVerdicts } from '../print-verdicts.ts'

/** Runs the cases of the suites whose titles are in the last argument of this process, and prints what becomes of each. */
export async function printSuites(...suites: readonly Suite[]): Promise<void> {
  const titles = JSON.parse(process.argv.at(-1) ?? '') as string[]
  const all: Suite = Object.assign({}, ...suites)
  await printVerdicts(Object.fromEntries(titles.map((title) => [title, all[title]!])))
}
