import { slipsBetween } from '@genmount/core'
import { furtherVariables, vendorVariables } from '../vendors/found-vendors.ts'
import type { Environment } from '../vendors/environment.ts'
import { settingVariables } from './read-config.ts'

/** A variable that is set and that the server does not read, and the variable that the operator probably meant. */
export interface MisspeltVariable {
  readonly variable: string
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
  const isRead = (name: string) => read.includes(name) || furtherVariables.includes(name)
  const others = Object.keys(env).filter((name) => env[name] && !isRead(name))
  return others.flatMap((variable) => {
    const meant =
      missing.find((name) => isOneSlipApart(variable, name)) ??
      missing.find((name) => isShortened(variable, name) || isOtherKey(variable, name))
    return meant === undefined ? [] : [{ variable, meant }]
  })
}

/**
 * Whether one letter is missing, added or another, or two letters are swapped. Short names have too many neighbours among
 * the variables of other programs.
 */
function isOneSlipApart(variable: string, meant: string): boolean {
  const lettersOf = (name: string) => [...name.replaceAll('_', '')].toSorted().join('')
  const isSwapped = lettersOf(variable) === lettersOf(meant)
  return lettersOf(variable).length >= 6 && slipsBetween(variable, meant) <= (isSwapped ? 2 : 1)
}

/** Whether the name lacks only some of the other name's words, such as `WAIT_BUDGET` for `WAIT_BUDGET_MS`. */
function isShortened(variable: string, meant: string): boolean {
  const [words, others] = [variable.split('_'), meant.split('_')]
  return words.length > 1 && words[0] === others[0] && words.every((word) => others.includes(word))
}

/** Whether both are keys of one vendor, such as `FAL_TOKEN` and `FAL_KEY`. */
function isOtherKey(variable: string, meant: string): boolean {
  const vendorOf = (name: string) => /^([A-Z]+)_(?:[A-Z]+_)*(?:KEY|TOKEN|SECRET)$/.exec(name)?.[1]
  return (
    vendorVariables.includes(meant) && vendorOf(meant) !== undefined && vendorOf(variable) === vendorOf(meant)
  )
}
