import type { Json } from '../contracts/json.ts'

/** A copy of a JSON value in which `change` has replaced each text. The names of fields stay. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change))
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, change)]))
}
