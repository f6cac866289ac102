/**
 * The fields of a value from outside.
 * @returns the value itself if it is an object or an array, else an object without fields
 */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
