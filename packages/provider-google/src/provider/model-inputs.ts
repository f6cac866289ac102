import type { JsonObject } from '@genmount/core'
import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'
import { isPictureUri } from './input-pictures.ts'

const imageRatios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const

const shared = {
  prompt: text('prompt must be a text of 1 to 32000 characters.'),
  seed: v.optional(wholeNumber('seed', 0, 2_147_483_647)),
  provider_options: v.optional(
    v.custom<JsonObject>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'provider_options must be an object.',
    ),
  ),
}

/** What a job of Veo takes. Length and resolution are always said, because they make the price. */
export const videoInput = closed({
  ...shared,
  image: v.optional(picture('image')),
  last_frame: v.optional(picture('last_frame')),
  negative_prompt: v.optional(text('negative_prompt must be a text of 1 to 32000 characters.')),
  aspect_ratio: v.optional(oneOf('aspect_ratio', ['16:9', '9:16'])),
  resolution: v.optional(oneOf('resolution', ['720p', '1080p', '4k']), '720p'),
  duration: v.optional(wholeNumber('duration', 4, 8), 8),
  num_outputs: v.optional(wholeNumber('num_outputs', 1, 4), 1),
})

/** What a job of a Gemini image model takes. */
export const imageInput = closed({
  ...shared,
  image: v.optional(
    v.union(
      [picture('image'), v.pipe(v.array(picture('image')), v.minLength(1), v.maxLength(14))],
      'image must be a URL or a data URI, or a list of 1 to 14 of them.',
    ),
  ),
  aspect_ratio: v.optional(oneOf('aspect_ratio', imageRatios)),
  resolution: v.optional(oneOf('resolution', ['1K', '2K', '4K'])),
  num_outputs: v.optional(v.literal(1, 'num_outputs must be 1: this model makes one image a job.')),
})

export type VideoInput = v.InferOutput<typeof videoInput>
export type ImageInput = v.InferOutput<typeof imageInput>

function closed<const T extends v.ObjectEntries>(entries: T) {
  const accepted = Object.keys(entries).join(', ')
  return v.strictObject(entries, (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    if (issue.expected === 'never') return `${String(key)} is unknown; this model takes ${accepted}.`
    return `${String(key)} is required.`
  })
}

function picture(field: string) {
  const message = `${field} must be an http(s) URL, or a data URI with a PNG, JPEG or WebP picture in base64.`
  return v.pipe(
    v.string(message),
    v.check(
      (text) => urlFault(text) === undefined,
      ({ input }) => `${field}: ${urlFault(input)}`,
    ),
  )
}

function urlFault(text: string): string | undefined {
  if (isPictureUri(text)) return undefined
  const verdict = classifyUrl(text)
  return verdict.allowed ? undefined : verdict.refusal.message
}

function text(message: string) {
  return v.pipe(
    v.string(message),
    v.check((text) => text.trim() !== '' && text.length <= 32_000, message),
  )
}

function oneOf<const T extends readonly string[]>(field: string, choices: T) {
  return v.picklist(choices, `${field} must be one of ${choices.join(', ')}.`)
}

function wholeNumber(field: string, low: number, high: number) {
  const message = `${field} must be a whole number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, message))
}
