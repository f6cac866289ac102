import { GenerationError } from '@genmount/core'

const maxDepth = 64
const quote = 0x22
const backslash = 0x5c

/**
 * Refuses JSON text that is nested too deeply, has too many keys and values, or names its model twice, before anything is
 * built of it: `JSON.parse` takes a million levels, and seconds over a million values, in which nobody else is served.
 */
export function refuseCostlyText(text: string, maxValues: number): void {
  let depth = 0
  // Each key is followed by a colon, each value but the first of its list or object comes after a comma.
  let values = 1
  let strings = 0
  let models = 0
  let stringAt = 0
  let stringEnd = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        if (++strings > maxValues) throw tooMany(maxValues)
        stringAt = at
        at = stringEnd = endOfString(text, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) throw tooDeep()
        if (++values > maxValues) throw tooMany(maxValues)
        break
      case 0x5d: // ]
      case 0x7d: // }
        // More are closed than were opened: the parser says so without reading on.
        if (--depth < 0) return
        break
      case 0x3a: // :
        if (depth === 1 && isModel(text, stringAt, stringEnd) && ++models > 1) throw twoModels()
        if (++values > maxValues) throw tooMany(maxValues)
        break
      case 0x2c: // ,
        if (++values > maxValues) throw tooMany(maxValues)
    }
  }
}

/**
 * Refuses a parsed value that is nested too deeply, has too many keys and values, a key `__proto__`, which other code may
 * take for a prototype, or a number that has become infinite, which would be `null` when it is written again.
 */
export function refuseUnsafeValue(value: unknown, maxValues: number): void {
  let values = 0

  function refuse(part: unknown, depth: number): void {
    if (++values > maxValues) throw tooMany(maxValues)
    if (part === Infinity || part === -Infinity) {
      throw new GenerationError('invalid_request', 'The request body has a number that is too large.')
    }
    if (typeof part !== 'object' || part === null) return
    if (depth > maxDepth) throw tooDeep()
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

/** Where the string ends that begins at `openAt`; the text's end when it does not. */
function endOfString(text: string, openAt: number): number {
  let at = text.indexOf('"', openAt + 1)
  // Found at once in pictures, which are most of what is long. Text with an escaped quote is walked through.
  if (at < 0) return text.length
  if (!isEscaped(text, at)) return at
  for (at++; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at
  }
  return text.length
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++
  return backslashes % 2 === 1
}

/** Whether the string is `model`, however it is spelt: each of its letters takes six characters at the most. */
function isModel(text: string, openAt: number, closeAt: number): boolean {
  const length = closeAt - openAt - 1
  if (length === 5) return text.startsWith('model', openAt + 1)
  if (length < 5 || length > 30) return false
  const spelling = text.slice(openAt, closeAt + 1)
  if (!spelling.includes('\\')) return false
  try {
    return JSON.parse(spelling) === 'model'
  } catch {
    return false
  }
}

function tooDeep(): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may be nested at most ${maxDepth} levels deep.`,
  )
}

function tooMany(maxValues: number): GenerationError {
  return new GenerationError(
    'invalid_request',
    `The request body may have at most ${maxValues} keys and values.`,
  )
}

function twoModels(): GenerationError {
  return new GenerationError('invalid_request', 'The request body may name its model once.', {
    param: 'model',
  })
}
