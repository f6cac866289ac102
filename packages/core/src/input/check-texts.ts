import type { Json } from '../contracts/json.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { shortText } from '../text/short-text.ts'

/** The first text that no vendor can read, and the names of the fields that lead to it. */
interface Fault {
  readonly words: string
  readonly path: readonly string[]
}

/**
 * Refuses texts, names of fields included, that contain NUL or half of a surrogate pair. JSON can express both, but
 * many vendors' servers fail on them, after which nobody knows whether the vendor has taken the task on.
 * @param field the name of the field that has the value. @default none: the names in messages begin within the value
 * @throws GenerationError `invalid_request` that names the first such field
 */
export function checkTexts(value: Json, field?: string): void {
  const fault = faultIn(value)
  if (!fault) return
  const name = shortText([...(field === undefined ? [] : [field]), ...fault.path].join('.'))
  throw new GenerationError('invalid_request', `${name} contains ${fault.words}, which no vendor can read.`, {
    param: field ?? name,
  })
}

function faultIn(value: Json): Fault | undefined {
  if (typeof value === 'string') return faultOf(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = faultIn(value[index] as Json)
      if (fault) return within(String(index), fault)
    }
    return undefined
  }
  for (const [key, part] of Object.entries(value)) {
    const fault = faultOf(key) ?? faultIn(part)
    if (fault) return within(key, fault)
  }
  return undefined
}

function within(key: string, { words, path }: Fault): Fault {
  return { words, path: [key, ...path] }
}

function faultOf(text: string): Fault | undefined {
  if (text.includes('\0')) return { words: 'the character NUL (U+0000)', path: [] }
  return text.isWellFormed() ? undefined : { words: 'half of a surrogate pair', path: [] }
}
