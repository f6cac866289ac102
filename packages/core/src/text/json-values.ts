import type { Json, JsonObject } from '../contracts/json.ts'

/** Values that are nested more deeply than this are copied through JSON text, which throws for a cycle. */
const maxDepth = 50

/**
 * Copies a value as JSON would, so that no other code holds a part of the copy.
 * @returns the copy; `undefined` for what JSON can't express, such as a function
 * @throws TypeError for a cycle or a bigint
 */
export function jsonCopy(value: unknown): Json | undefined {
  const copy = plainCopy(value, 0)
  if (copy !== undefined) return copy
  const text = JSON.stringify(value) as string | undefined
  return text === undefined ? undefined : (JSON.parse(text) as Json)
}

/**
 * Copies without writing text, which takes a quarter of the time, and hardly any for a long text.
 * @returns `undefined` for a value that JSON would change or refuse
 */
function plainCopy(value: unknown, depth: number): Json | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  // JSON has no -0.
  if (typeof value === 'number') return Number.isFinite(value) ? value || 0 : undefined
  if (typeof value !== 'object' || depth === maxDepth) return undefined
  return Array.isArray(value) ? arrayCopy(value, depth) : objectCopy(value, depth)
}

function arrayCopy(value: readonly unknown[], depth: number): Json | undefined {
  if (Object.getPrototypeOf(value) !== Array.prototype || 'toJSON' in value) return undefined
  const items: Json[] = []
  for (const element of value) {
    const item = plainCopy(element, depth + 1)
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

function objectCopy(value: object, depth: number): Json | undefined {
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return undefined
  const copy: Record<string, Json> = {}
  for (const name of Object.keys(value)) {
    const field = plainCopy((value as Record<string, unknown>)[name], depth + 1)
    // An assignment to `__proto__` would set the prototype of the copy.
    if (field === undefined || name === '__proto__') return undefined
    copy[name] = field
  }
  return copy
}

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

/** A copy of a JSON value in which `change` has replaced each text. The names of fields stay. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, change))
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapTexts(part, change)]))
}

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

/**
 * Freezes a JSON value and everything in it, so that callers can get the value itself instead of a copy. An object that
 * is frozen already is left as it is: everything in it counts as frozen too.
 * @returns the same value
 */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const name in value) frozen(value[name])
  return value
}
