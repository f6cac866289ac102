import { GenerationError, maxJsonDepth } from '@genmount/core'
import { tooDeep, tooMany } from './json-limits.ts'

/**
 * Refuses a parsed value that is nested too deeply or has too many keys and values. Also refuses a key `__proto__`,
 * because other code may use it as a prototype, and a number that is too large for JavaScript, because it is parsed as
 * Infinity and would become `null` in the stored JSON.
 * @throws GenerationError `invalid_request`
 */
export function refuseUnsafeValue(value: unknown, maxValues: number): void {
  let values = 0

  function refuse(part: unknown, depth: number): void {
    if (++values > maxValues) throw tooMany(maxValues)
    if (part === Infinity || part === -Infinity) {
      throw new GenerationError('invalid_request', 'The request body has a number that is too large.')
    }
    if (typeof part !== 'object' || part === null) return
    if (depth > maxJsonDepth) throw tooDeep()
    if (Object.hasOwn(part, '__proto__')) {
      throw new GenerationError('invalid_request', 'The request body may not have a field named __proto__.', {
        param: '__proto__',
      })
    }
    if (Array.isArray(part)) {
      for (const item of part) refuse(item, depth + 1)
      return
    }
    const items = Object.values(part)
    values += items.length
    for (const item of items) refuse(item, depth + 1)
  }

  refuse(value, 1)
}
