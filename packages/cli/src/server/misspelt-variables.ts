import { vendorVariables } from '../vendors/found-vendors.ts'
import type { Environment } from '../vendors/environment.ts'
import { settingVariables } from './read-config.ts'

/** A variable that is set and that the server does not read, and the variable that the operator probably meant. */
export interface MisspeltVariable {
  readonly given: string
  readonly meant: string
}

/**
 * Finds variables whose names are probably misspelt. The environment has many variables of other programs, so a name
 * counts only when it is very close to a variable of the server that is not set.
 * @param read the variables that the server reads
 */
export function misspeltVariables(
  env: Environment,
  read: readonly string[] = [...settingVariables, ...vendorVariables],
): MisspeltVariable[] {
  const missing = read.filter((name) => !env[name])
  const others = Object.keys(env).filter((name) => env[name] && !read.includes(name))
  return others.flatMap((given) => {
    const meant =
      missing.find((name) => isOneSlipApart(given, name)) ??
      missing.find((name) => isShortened(given, name) || isOtherKey(given, name))
    return meant === undefined ? [] : [{ given, meant }]
  })
}

/** Whether one letter is missing, added or another, or two letters are swapped. Underscores do not count. */
function isOneSlipApart(given: string, meant: string): boolean {
  const [a = '', b = ''] = [given, meant].map((name) => name.replaceAll('_', ''))
  if (a.length < 6) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from++
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end++
  const [x, y] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  return (x.length <= 1 && y.length <= 1) || (x.length === 2 && x === [...y].toReversed().join(''))
}

/** Whether the name lacks only some of the other name's words, such as `WAIT_BUDGET` for `WAIT_BUDGET_MS`. */
function isShortened(given: string, meant: string): boolean {
  const [words, others] = [given.split('_'), meant.split('_')]
  return words.length > 1 && words[0] === others[0] && words.every((word) => others.includes(word))
}

/** Whether both are keys of one vendor, such as `FAL_TOKEN` and `FAL_KEY`. */
function isOtherKey(given: string, meant: string): boolean {
  const vendorOf = (name: string) => /^([A-Z]+)_(?:[A-Z]+_)*(?:KEY|TOKEN|SECRET)$/.exec(name)?.[1]
  return (
    vendorVariables.includes(meant) && vendorOf(meant) !== undefined && vendorOf(given) === vendorOf(meant)
  )
}
