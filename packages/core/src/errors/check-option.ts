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
