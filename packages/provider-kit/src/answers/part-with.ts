import { recordOf } from '../client/record-of.ts'
import type { AnsweredFile } from './answered-file.ts'
import { wrappings } from './file-fields.ts'

/**
 * The part of an answer that has a field, in whatever a gateway has wrapped it.
 * @param names the field, then those to look for if no part has it
 * @returns the answer itself when no part has one of the fields
 */
export function partWith(
  names: string | readonly string[],
  answer: unknown,
): Readonly<Record<string, unknown>> {
  const parts = [names].flat().map((name) => partNamed(name, answer, 0))
  return parts.find((part) => part !== undefined) ?? recordOf(answer)
}

function partNamed(
  name: string,
  answer: unknown,
  depth: number,
): Readonly<Record<string, unknown>> | undefined {
  // Most wrappings are not in an answer, and each of them would be looked through for all wrappings again.
  if (typeof answer !== 'object' || answer === null) return undefined
  const fields = recordOf(answer)
  if (hasValue(fields, name)) return fields
  if (depth === 3) return undefined
  const inner = Array.isArray(answer) ? answer.slice(0, 1) : wrappings.map((wrapping) => fields[wrapping])
  for (const part of inner) {
    const match = partNamed(name, part, depth + 1)
    if (match) return match
  }
  return undefined
}

/** Words for a task that has ended well. */
const endedWords = /^(?:success(?:ful)?|succeed(?:ed)?|completed?|done|finish(?:ed)?|ready|ok)$/i

/**
 * The state that an answer names. An answer that names none and has a file has ended: xAI has sent such answers, and so
 * have gateways. Gateways also have words of their own for a task that has ended well.
 * @param ended the vendor's word for a task that has ended well
 */
export function stateIn(state: unknown, files: readonly AnsweredFile[], ended: string): string | undefined {
  const isEnded = typeof state !== 'string' || endedWords.test(state)
  if (isEnded && files.some(({ output }) => output)) return ended
  return typeof state === 'string' ? state : undefined
}

function hasValue(fields: Readonly<Record<string, unknown>>, name: string): boolean {
  return fields[name] !== undefined && fields[name] !== null
}
