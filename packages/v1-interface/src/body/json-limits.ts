import { GenerationError } from '@genmount/core'

const maxDepth = 64
const quote = 0x22
const backslash = 0x5c

/**
 * Refuses JSON text that is nested too deeply before anything is built of it: `JSON.parse` takes a million levels, and
 * what walks its result later does not.
 */
export function refuseDeepText(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) throw tooDeep()
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
    }
  }
}

/**
 * Refuses a parsed value that is nested too deeply, has a key `__proto__`, which other code may take for a prototype,
 * or a number that has become infinite, which would be `null` when it is written again.
 */
export function refuseUnsafeValue(value: unknown, depth = 1): void {
  if (value === Infinity || value === -Infinity) {
    throw new GenerationError('invalid_request', 'The request body has a number that is too large.')
  }
  if (typeof value !== 'object' || value === null) return
  if (depth > maxDepth) throw tooDeep()
  if (Object.hasOwn(value, '__proto__')) {
    throw new GenerationError('invalid_request', 'The request body may not have a field named __proto__.', {
      param: '__proto__',
    })
  }
  for (const item of Array.isArray(value) ? value : Object.values(value)) refuseUnsafeValue(item, depth + 1)
}

function endOfString(text: string, openAt: number): number {
  let at = openAt
  do {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length
  } while (isEscaped(text, at))
  return at
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

function tooDeep(): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may be nested at most ${maxDepth} levels deep.`,
  )
}
