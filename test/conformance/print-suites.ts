import type { Suite } from '@genmount/testing'
import { printVerdicts } from '../print-verdicts.ts'

/** The cases with thousands of jobs or many keys. */
export const heavy = /ten thousand|many jobs are listed|a flood of|any text can be a key|only that one/

/** A suite without its heavy cases, which the deep suite runs on every runtime. */
export function lightCases(suite: Suite): Suite {
  const light = Object.entries(suite).filter(([title]) => !heavy.test(title))
  if (light.length === Object.keys(suite).length) throw new Error('A heavy case has another title now.')
  return Object.fromEntries(light)
}

/** Runs suites and prints what becomes of each case: only of the light ones if the last argument of this process says so. */
export async function printSuites(...suites: readonly Suite[]): Promise<void> {
  const all: Suite = Object.assign({}, ...suites)
  const titles = suites.flatMap((suite) => Object.keys(suite))
  if (Object.keys(all).length < titles.length) throw new Error('Two cases have one title.')
  await printVerdicts(process.argv.at(-1) === 'light' ? lightCases(all) : all)
}
