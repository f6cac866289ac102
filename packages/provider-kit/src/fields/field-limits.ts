import { type Check, checkObject } from '@genmount/core'
import type * as v from 'valibot'
import { choiceField } from './fields.ts'
import { type OpenFieldName, openFieldNames, openFields } from './open-fields.ts'

/**
 * The smallest and the largest value of a number, both accepted; for a text, its smallest and largest number of
 * characters.
 */
export interface FieldRange {
  /** The smallest value. @default the interface's */
  readonly min?: number | undefined
  /** The largest value. @default the interface's */
  readonly max?: number | undefined
}

/**
 * What a model accepts in its fields, where that is less than the interface accepts: the choices of a shape or a size,
 * the choices or the range of a number, the range of the number of characters of a text.
 * @example { prompt: { max: 2500 }, aspect_ratio: ['16:9', '9:16'], duration: [5, 10], seed: { max: 2147483647 } }
 */
export interface FieldLimits {
  /** How many characters the prompt may have. */
  readonly prompt?: FieldRange | undefined
  /** How many characters the negative prompt may have. */
  readonly negative_prompt?: FieldRange | undefined
  /** The shapes, such as `['16:9', '9:16']`. */
  readonly aspect_ratio?: readonly string[] | undefined
  /** The sizes, such as `['720p', '1080p']`. */
  readonly resolution?: readonly string[] | undefined
  /** The seeds of the random numbers. */
  readonly seed?: FieldRange | readonly number[] | undefined
  /** How closely the output may follow the prompt. */
  readonly guidance?: FieldRange | readonly number[] | undefined
  /** The numbers of outputs. */
  readonly num_outputs?: FieldRange | readonly number[] | undefined
  /** The lengths of a film in seconds, such as `[5, 10]`. */
  readonly duration?: FieldRange | readonly number[] | undefined
  /** The frames per second. */
  readonly fps?: FieldRange | readonly number[] | undefined
}

type Limit = FieldRange | readonly (string | number)[]

const words = {
  text: 'a range such as { max: 4 }',
  choice: "a list of texts such as ['16:9']",
  number: 'a list of numbers, or a range such as { max: 4 }',
} as const

const kinds: Readonly<Record<keyof FieldLimits, keyof typeof words>> = {
  prompt: 'text',
  negative_prompt: 'text',
  aspect_ratio: 'choice',
  resolution: 'choice',
  seed: 'number',
  guidance: 'number',
  num_outputs: 'number',
  duration: 'number',
  fps: 'number',
}

/** Checks the option `limits` of a model. @throws TypeError that names the option and the field */
export const checkFieldLimits: Check<FieldLimits> = (name, limitOptions = {}) => {
  const limits = checkObject(name, limitOptions, ' such as { duration: [5, 10] }')
  for (const [field, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(kinds, field))
      throw new TypeError(`${name} can not limit ${field}; it may limit ${Object.keys(kinds).join(', ')}.`)
    const kind = kinds[field as keyof FieldLimits]
    const isChoice = kind !== 'text' && isListOf(limit, kind === 'choice' ? 'string' : 'number')
    if (limit !== undefined && !isChoice && !(kind !== 'choice' && isRange(limit)))
      throw new TypeError(`${name}.${field} must be ${words[kind]}.`)
  }
  return limits
}

/** Checks the option `required` of a model. @throws TypeError that names the option */
export const checkRequired: Check<readonly OpenFieldName[] | undefined> = (name, limits) => {
  const fieldNames: readonly unknown[] = openFieldNames
  if (limits === undefined || (Array.isArray(limits) && limits.every((field) => fieldNames.includes(field))))
    return limits as readonly OpenFieldName[] | undefined
  throw new TypeError(
    `${name} must be a list of fields of the interface, such as ['prompt', 'image']: some of ${fieldNames.join(', ')}.`,
  )
}

/**
 * The schema of a field of the vocabulary within the limits of a model.
 * @param most the largest number of pictures or films that the model takes in the field
 */
export function limitedField(name: OpenFieldName, most: number, limits: FieldLimits): v.GenericSchema {
  const limit = (limits as Readonly<Record<string, Limit | undefined>>)[name] ?? {}
  return isList(limit) ? choiceField(name, limit) : openFields[name](most, limit)
}

function isList(limit: Limit): limit is readonly (string | number)[] {
  return Array.isArray(limit)
}

function isListOf(limit: unknown, type: 'string' | 'number'): boolean {
  return Array.isArray(limit) && limit.length > 0 && limit.every((value) => typeof value === type)
}

function isRange(limit: unknown): boolean {
  if (typeof limit !== 'object' || limit === null || Array.isArray(limit)) return false
  const { min, max, ...others } = limit as Readonly<Record<string, unknown>>
  const isBound = (bound: unknown) => bound === undefined || Number.isFinite(bound)
  return isBound(min) && isBound(max) && !(Number(min) > Number(max)) && Object.keys(others).length === 0
}
