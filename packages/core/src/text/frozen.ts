/**
 * Freezes a JSON value and all that it contains, so that it can be handed to others as it is kept.
 * @returns the same value. An object that is frozen already is taken to be frozen throughout
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key in value) frozen(value[key])
  return value
}
