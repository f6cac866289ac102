/** Throws a TypeError that names the option unless it is a whole number from `min` to `max`. */
export function checkCount(name: string, value: number, min = 1, max = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw new TypeError(`${name} must be a whole number ${range}, not ${String(value)}.`)
}

/** Throws a TypeError that names the option and the choices unless it is one of them. */
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

/** The longest delay of a timer in milliseconds: most hosts fire a longer one at once. */
export const longestTimerMs = 2 ** 31 - 1

/** Throws a TypeError that names the option unless it is a whole number of milliseconds that a timer can wait. */
export function checkDuration(name: string, ms: number, min = 1): number {
  return checkCount(name, ms, min, longestTimerMs)
}

/**
 * Throws a TypeError that names the option unless it is an http or https URL without credentials, query and fragment.
 * @returns the URL without a slash at its end
 */
export function checkBaseUrl(name: string, baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' ? URL.parse(baseUrl) : null
  if (url && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname)
    return url.href.replace(/\/+$/, '')
  // The value is not shown: it may hold a password.
  throw new TypeError(
    `${name} must be an http or https URL such as https://app.example/media, without user name, password, query and fragment.`,
  )
}
