import type { Json } from '../contracts/json.ts'

/** All texts in a JSON value for which `isWanted` holds, in their order. The names of fields are not included. */
export function textsIn(value: Json, isWanted: (text: string) => boolean): readonly string[] {
  const texts: string[] = []
  someText(value, (text) => {
    if (isWanted(text)) texts.push(text)
    return false
  })
  return texts
}

/** Whether `isWanted` holds for one of the texts in a JSON value. Stops at the first such text. */
export function someText(value: Json, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value)
  if (typeof value !== 'object' || value === null) return false
  const parts: readonly Json[] = Array.isArray(value) ? value : Object.values(value)
  return parts.some((part) => someText(part, isWanted))
}
