/**
 * What a value is, in words for an error message. Texts and numbers are not repeated, because they may be secrets.
 */
export function kindOf(value: unknown): string {
  if (value === '') return 'an empty text'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number' || typeof value === 'bigint') return 'a number'
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if ('then' in value) return 'a promise: await it'
  if (Array.isArray(value)) return 'a list'
  return Symbol.iterator in value ? 'an iterable' : 'an object'
}
