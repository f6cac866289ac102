import type { Check } from './check-option.ts'
import { kindOf } from './kind-of.ts'

/** The names of the functions that an object must have. A function of a part is named `part.name`. */
type FunctionsOf<Contract> = {
  [Name in keyof Contract & string]: Contract[Name] extends (...parameters: never) => unknown
    ? Name
    : Contract[Name] extends object
      ? `${Name}.${keyof Contract[Name] & string}`
      : never
}[keyof Contract & string]

/**
 * A check of an option that is an object with certain functions.
 * @param words what is accepted, for the error message, such as `a log such as console`
 * @param functions the functions that the object must have
 */
/* @__NO_SIDE_EFFECTS__ */
export function contract<Contract>(
  words: string,
  functions: readonly FunctionsOf<Contract>[],
): Check<Contract> {
  return (name, value) => {
    const missing = functions.find((path) => typeof partOf(value, path) !== 'function')
    if (missing === undefined) return value as Contract
    const kind = kindOf(value)
    const hint = typeof value === 'function' ? ` If it makes one, call it: ${value.name || 'factory'}().` : ''
    throw new TypeError(
      `${name} must be ${words}${kind === 'an object' ? `: its ${missing} is not a function.` : `, not ${kind}.${hint}`}`,
    )
  }
}

function partOf(whole: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | null | undefined)?.[name], whole)
}
