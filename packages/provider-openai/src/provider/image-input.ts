import type { JsonObject } from '@genmount/core'
import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'

/** Shapes by the sizes that are asked for. The first three are known to every model, the rest from gpt-image-2 on. */
export const sizes = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
  '16:9': '1536x864',
  '9:16': '864x1536',
  '4:3': '1536x1152',
  '3:4': '1152x1536',
} as const

const aspectRatios = Object.keys(sizes) as (keyof typeof sizes)[]
const qualities = ['auto', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const formats = ['png', 'webp', 'jpeg'] as const

/** The longest data URI that OpenAI takes, in characters. */
const maxDataUriLength = 20_971_520
const dataUriHead = /^data:image\/(?:png|jpe?g|webp);base64,[\w+/]/i

const entries = {
  prompt: text(
    'prompt must be a text of 1 to 32000 characters.',
    (prompt) => prompt.trim() !== '' && prompt.length <= 32_000,
  ),
  image: v.optional(
    v.union(
      [picture('image'), v.pipe(v.array(picture('image')), v.minLength(1), v.maxLength(16))],
      'image must be a URL or a data URI, or a list of 1 to 16 of them.',
    ),
  ),
  mask: v.optional(picture('mask')),
  aspect_ratio: v.optional(oneOf('aspect_ratio', aspectRatios)),
  quality: v.optional(oneOf('quality', qualities)),
  format: v.optional(oneOf('format', formats)),
  num_outputs: v.optional(wholeNumber('num_outputs', 1, 10), 1),
  provider_options: v.optional(
    v.custom<JsonObject>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'provider_options must be an object.',
    ),
  ),
}

const accepted = Object.keys(entries).join(', ')

/** What a job of a GPT Image model takes. */
export const imageInput = v.pipe(
  v.strictObject(entries, (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    if (issue.expected === 'never') return `${String(key)} is unknown; this model takes ${accepted}.`
    return `${String(key)} is required.`
  }),
  v.forward(
    v.check(({ image, mask }) => mask === undefined || image !== undefined, 'mask goes with image only.'),
    ['mask'],
  ),
)

export type ImageInput = v.InferOutput<typeof imageInput>

/** A picture that OpenAI fetches or finds in the text: we never do. */
function picture(field: string) {
  const message = `${field} must be an http(s) URL, or a data URI with a PNG, JPEG or WebP picture in base64.`
  return v.pipe(
    v.string(message),
    v.check(
      (text) => faultOf(text) === undefined,
      ({ input }) => `${field}: ${faultOf(input)}`,
    ),
  )
}

function faultOf(text: string): string | undefined {
  if (dataUriHead.test(text.slice(0, 40)))
    return text.length > maxDataUriLength
      ? `A data URI may have ${maxDataUriLength} characters at the most.`
      : undefined
  const verdict = classifyUrl(text)
  return verdict.allowed ? undefined : verdict.refusal.message
}

function text(message: string, isAccepted: (text: string) => boolean) {
  return v.pipe(v.string(message), v.check(isAccepted, message))
}

function oneOf<const T extends readonly string[]>(field: string, choices: T) {
  return v.picklist(choices, `${field} must be one of ${choices.join(', ')}.`)
}

function wholeNumber(field: string, low: number, high: number) {
  const message = `${field} must be a whole number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, message))
}
