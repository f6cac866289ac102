import type { Json } from '../contracts/json.ts'

/** The wanted ones of all texts in a JSON value, in their order. The names of fields are not among them. */
export function textsIn(value: Json, isWanted: (text: string) => boolean): readonly string[] {
  const found: string[] = []
  someText(value, (text) => {
    if (isWanted(text)) found.push(text)
    return false
  })
  return found
}

/** Whether one of the texts in a JSON value is wanted. Looks at no text after the first wanted one. */
export function someText(value: Json, isWanted: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isWanted(value)
  if (typeof value !== 'object' || value === null) return false
  const parts: readonly Json[] = Array.isArray(value) ? value : Object.values(value)
  return parts.some((part) => someText(part, isWanted))
}
