// The annotations NO_SIDE_EFFECTS let a bundler leave out the tables of checks that an app does not use.

/**
 * Checks one option.
 * @param name the place of the option, for the error message, such as `memoryBackend: maxJobs`
 * @param value the option as the app gives it; `undefined` when it is left out
 * @returns the value that the factory uses
 * @throws TypeError that begins with `name` and says what would be accepted
 */
export type Check<Value = unknown> = (name: string, value: unknown) => Value

/**
 * A check of an option that may be left out.
 * @param check checks an option that is there
 */
export function optional<Value>(check: Check<Value>): Check<Value | undefined>
/**
 * A check of an option that has a default.
 * @param check checks an option that is there
 * @param fallback the value of an option that is left out
 */
export function optional<Value>(check: Check<Value>, fallback: Value): Check<Value>
/* @__NO_SIDE_EFFECTS__ */
export function optional<Value>(check: Check<Value>, fallback?: Value): Check<Value | undefined> {
  return (name, value) => (value === undefined ? fallback : check(name, value))
}

/**
 * A check of an option by a condition.
 * @param words what is accepted, for the error message
 */
/* @__NO_SIDE_EFFECTS__ */
export function accepts<Value>(words: string, isRight: (value: unknown) => boolean): Check<Value> {
  return (name, value) => {
    if (isRight(value)) return value as Value
    throw new TypeError(`${name} must be ${words}, not ${kindOf(value)}.`)
  }
}

/**
 * A check of an option that is a text. The error message does not show the text, because it may be a secret.
 * @param words what is accepted, for the error message
 * @param isRight a condition that the text must fulfil. @default any text that is not empty
 */
/* @__NO_SIDE_EFFECTS__ */
export function text(
  words = 'a text with at least one character',
  isRight: RegExp | ((value: string) => boolean) = (value) => value !== '',
): Check<string> {
  return (name, value) => {
    if (typeof value !== 'string') throw new TypeError(`${name} must be ${words}, not ${kindOf(value)}.`)
    if (typeof isRight === 'function' ? isRight(value) : isRight.test(value)) return value
    throw new TypeError(`${name} must be ${words}.`)
  }
}

/**
 * A check of an option that is a list.
 * @param words what is accepted, for the error message
 * @param check checks each element of the list
 */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<Value>(words: string, check: Check<Value>): Check<readonly Value[]> {
  const list = accepts<readonly unknown[]>(words, Array.isArray)
  return (name, value) => list(name, value).map((item, index) => check(`${name}[${index}]`, item))
}

/** Checks an option that is `true` or `false`. */
export const flag: Check<boolean> = accepts('true or false', (value) => typeof value === 'boolean')

/**
 * A check of an option that is a function.
 * @param such an example for the error message, such as `guardedFetch`. @default none
 */
/* @__NO_SIDE_EFFECTS__ */
export function callable<Callable>(such?: string): Check<Callable> {
  const words = such === undefined ? 'a function' : `a function such as ${such}`
  return accepts(words, (value) => typeof value === 'function')
}

/**
 * A check of an option that counts something: a whole number. The error message shows a wrong number.
 * @param min the smallest accepted value, 1 when left out
 * @param max the largest accepted value, `Number.MAX_SAFE_INTEGER` when left out
 */
/* @__NO_SIDE_EFFECTS__ */
export function count(min = 1, max = Number.MAX_SAFE_INTEGER): Check<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  return wholeNumber(`a whole number ${range}`, min, max)
}

/* @__NO_SIDE_EFFECTS__ */
function wholeNumber(words: string, min: number, max?: number): Check<number> {
  return (name, value) => {
    const isNumber = typeof value === 'number'
    if (isNumber && Number.isSafeInteger(value) && value >= min && value <= (max ?? value)) return value
    throw new TypeError(`${name} must be ${words}, not ${isNumber ? value : kindOf(value)}.`)
  }
}

/**
 * The longest delay that a timer of the host can wait, in milliseconds. Most hosts fire a timer with a longer delay at
 * once.
 */
export const longestTimerMs = 2 ** 31 - 1

/**
 * A check of an option that is a duration for a timer, in milliseconds: a whole number up to {@link longestTimerMs}.
 * @param min the shortest accepted duration in milliseconds, 1 when left out
 */
/* @__NO_SIDE_EFFECTS__ */
export function duration(min = 1): Check<number> {
  return count(min, longestTimerMs)
}

/** Whether a value is an instant, in whole milliseconds since 1970. Some stores keep no other numbers. */
export function isInstant(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A check of an option that is an instant, in whole milliseconds since 1970. The error message shows a wrong number. */
export const instant: Check<number> = wholeNumber(
  'an instant in whole milliseconds since 1970, such as Date.now()',
  0,
)

/** A check of an option that has a few accepted values. The error message names them and shows the wrong value. */
/* @__NO_SIDE_EFFECTS__ */
export function choice<const Choice extends string>(...choices: readonly Choice[]): Check<Choice> {
  return (name, value) => {
    const chosen = choices.find((candidate) => candidate === value)
    if (chosen !== undefined) return chosen
    const description = typeof value === 'string' ? JSON.stringify(value) : kindOf(value)
    throw new TypeError(
      `${name} must be ${choices.map((candidate) => `'${candidate}'`).join(' or ')}, not ${description}.`,
    )
  }
}

/**
 * Checks an option that is a base URL, to which paths are appended.
 * @returns the URL without slashes at its end
 * @throws TypeError that names the option, unless it is an http or https URL without user name, password, query and
 *   fragment. The message does not show the value, because it may hold a password
 */
export const checkBaseUrl: Check<string> = (name, value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname)
    return url.href.replace(/\/+$/, '')
  throw new TypeError(
    `${name} must be an http or https URL such as https://app.example/media, without credentials, query and fragment.`,
  )
}

/**
 * Checks an option that is the URL at which the `/v1` interface is mounted, without `/v1`.
 * @returns the URL without slashes at its end
 * @throws TypeError that names the option, as {@link checkBaseUrl} does, and for a URL that ends in `/v1`
 */
export const checkMountUrl: Check<string> = (name, value) => {
  const url = checkBaseUrl(name, value)
  if (!url.endsWith('/v1')) return url
  throw new TypeError(`${name} must be the address in front of /v1, such as https://app.example/media.`)
}

/** The names of the functions that an object must have. A function of a part is named `part.name`. */
export type FunctionsOf<Contract> = {
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

/**
 * What a value is, in words for an error message. Texts and numbers are not repeated, because they may be secrets.
 */
export function kindOf(value: unknown): string {
  if (value === '') return 'an empty text'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if ('then' in value) return 'a promise: await it'
  if (Array.isArray(value)) return 'a list'
  return Symbol.iterator in value ? 'an iterable' : 'an object'
}
