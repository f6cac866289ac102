import type { Json } from '../contracts/json.ts'

/**
 * The value as JSON has it, which nobody else holds a part of; `undefined` for what JSON has no word for.
 * @throws TypeError for a cycle or a bigint
 */
export function jsonCopy(value: unknown): Json | undefined {
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : (JSON.parse(text) as Json)
}
