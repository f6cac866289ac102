/**
 * Freezes a JSON value and everything in it, so that callers can get the value itself instead of a copy. An object that
 * is frozen already is left as it is: everything in it counts as frozen too.
 * @returns the same value
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key in value) frozen(value[key])
  return value
}
