import type { Json, JsonObject } from '../contracts/json.ts'

/** How many characters a number, `true`, `false` or `null` takes, about. */
const smallLength = 5

/**
 * About how many characters the JSON of a value has. Lengths are added up and no JSON is written, because a text may be
 * megabytes long.
 */
export function lengthOf(value: Json | undefined): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : smallLength
  let length = 2
  if (Array.isArray(value)) for (const item of value as readonly Json[]) length += lengthOf(item) + 1
  else for (const key in value) length += key.length + lengthOf((value as JsonObject)[key]) + 4
  return length
}
