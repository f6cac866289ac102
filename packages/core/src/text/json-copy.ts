import type { Json } from '../contracts/json.ts'

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
