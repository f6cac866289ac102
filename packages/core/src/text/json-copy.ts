import type { Json } from '../contracts/json.ts'

/**
 * Copies a value through JSON, so that nobody else holds a part of the copy.
 * @returns the copy; `undefined` for what JSON can't express, such as a function
 * @throws TypeError for a cycle or a bigint
 */
export function jsonCopy(value: unknown): Json | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : (JSON.parse(text) as Json)
}
