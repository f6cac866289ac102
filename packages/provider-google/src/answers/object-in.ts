import type { JsonObject } from '@genmount/core'

/** The object that is the value of a field; an empty one when the value is missing or something else. */
export function objectIn(options: JsonObject, field: string): JsonObject {
  const value = options[field]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}
