import { type Check, kindOf } from './check-option.ts'

/** A table with a check for each option. An option without a check, or a check without an option, does not compile. */
export type OptionTable<Options> = { readonly [Name in keyof Options]-?: Check }

/** What the checks of a table return: the options with their defaults. */
export type CheckedOptions<Table extends Readonly<Record<string, Check>>> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]>
}

/**
 * Checks the options of a factory. It refuses an option that the table does not have, even if its value is `undefined`,
 * and then calls the check of each option, in the order of the table.
 * @param at the name of the factory, such as `memoryBackend`; or the place of options within options, such as
 *   `falProvider: models['flux']`
 * @param options the options as the app gives them. `undefined` counts as `{}`
 * @returns what the checks return
 * @throws TypeError that begins with `at` and names the option. For an unknown option it names the most similar one. It
 *   never repeats a value that may be a secret
 * @example
 * const table = { maxJobs: optional(count(), 1000), clock: optional(checkClock) } satisfies OptionTable<MyOptions>
 * const { maxJobs, clock = systemClock() } = checkOptions('myBackend', options, table)
 */
export function checkOptions<Table extends Readonly<Record<string, Check>>>(
  at: string,
  options: unknown,
  table: Table,
): CheckedOptions<Table> {
  const fields = checkObject(
    `${at}${at.includes(': ') ? '' : ': the options'}`,
    options === undefined ? {} : options,
  )
  const names = Object.keys(table)
  const stranger = Object.keys(fields).find((name) => !Object.hasOwn(table, name))
  if (stranger !== undefined) {
    const near = nearestName(stranger, names)
    throw new TypeError(
      `${placeOf(at, stranger)} is not an option; ${near === undefined ? `the options are ${names.join(', ')}.` : `did you mean ${near}?`}`,
    )
  }
  const checked = names.map((name) => [name, table[name]?.(placeOf(at, name), fields[name])])
  return Object.fromEntries(checked) as CheckedOptions<Table>
}

/**
 * Checks that an option is an object. The caller checks the values in it.
 * @param such an example for the error message. @default none
 * @throws TypeError that names the option, unless it is an object that is no list, `Map` or `Headers`
 */
export function checkObject(name: string, value: unknown, such = ''): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !(Symbol.iterator in value))
    return value as Readonly<Record<string, unknown>>
  throw new TypeError(`${name} must be an object${such}, not ${kindOf(value)}.`)
}

/** The place of an option: `memoryBackend: maxJobs`, `falProvider: models['flux'].price`. */
function placeOf(at: string, name: string): string {
  if (!at.includes(': ')) return `${at}: ${name}`
  return /^\w+$/.test(name) ? `${at}.${name}` : `${at}['${name}']`
}

/**
 * The name that the app's developer probably meant: the same name in another case or with other separators, a name that
 * differs in at most a third of its letters, or a name that contains the given one.
 * @returns `undefined` when no name is similar
 */
export function nearestName(wrongName: string, names: readonly string[]): string | undefined {
  const meant = plain(wrongName)
  const [nearest] = names
    .map((name) => ({ name, slips: slipsBetween(wrongName, name) }))
    .toSorted((a, b) => a.slips - b.slips)
  if (nearest && nearest.slips <= Math.ceil(meant.length / 3)) return nearest.name
  return meant.length < 4 ? undefined : names.find((name) => plain(name).includes(meant))
}

/**
 * How many letters and digits must be changed, added or left out to make one name of the other (Levenshtein), whatever
 * their case and separators.
 */
export function slipsBetween(name: string, meant: string): number {
  const to = plain(meant)
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...plain(name)].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries())
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + (letter === other ? 0 : 1)))
    row = next
  }
  return row[to.length]!
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '')
}
