/**
 * Checks an option that counts something.
 * @param name the name of the option, for the error message
 * @param min the smallest accepted value, 1 when left out
 * @param max the largest accepted value, `Number.MAX_SAFE_INTEGER` when left out
 * @returns `value`
 * @throws TypeError that names the option and the accepted range, unless `value` is a whole number from `min` to `max`
 */
export function checkCount(name: string, value: number, min = 1, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw new TypeError(`${name} must be a whole number ${range}, not ${String(value)}.`)
}

/**
 * Checks an option that has a few accepted values.
 * @param name the name of the option, for the error message
 * @returns `value`
 * @throws TypeError that names the option and the accepted values, unless `value` is one of `choices`
 */
export function checkChoice<const Choice extends string>(
  name: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen !== undefined) return chosen
  throw new TypeError(
    `${name} must be ${choices.map((choice) => `'${choice}'`).join(' or ')}, not ${shown(value)}.`,
  )
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/**
 * The longest delay that a timer of the host can wait, in milliseconds. Most hosts fire a timer with a longer delay at
 * once.
 */
export const longestTimerMs = 2 ** 31 - 1

/**
 * Checks an option that is a duration for a timer.
 * @param name the name of the option, for the error message
 * @param ms the option's value, in milliseconds
 * @param min the shortest accepted duration in milliseconds, 1 when left out
 * @returns `ms`
 * @throws TypeError that names the option, unless `ms` is a whole number from `min` to {@link longestTimerMs}
 */
export function checkDuration(name: string, ms: number, min = 1): number {
  return checkCount(name, ms, min, longestTimerMs)
}

/**
 * Checks an option that is a base URL, to which paths are appended.
 * @param name the name of the option, for the error message
 * @returns the URL without slashes at its end
 * @throws TypeError that names the option, unless it is an http or https URL without user name, password, query and
 *   fragment
 */
export function checkBaseUrl(name: string, baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname)
    return url.href.replace(/\/+$/, '')
  // The message does not show the value, because it may hold a password.
  throw new TypeError(
    `${name} must be an http or https URL such as https://app.example/media, without user name, password, query and fragment.`,
  )
}
