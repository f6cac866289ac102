import { providerFailures } from '@genmount/core'
import * as v from 'valibot'
import { isImageDataUri } from './input-image.ts'

const aspectRatios = ['1:1', '16:9', '9:16', '4:3', '3:4'] as const
const resolutions = ['480p', '720p', '1080p'] as const
const formats = ['png', 'webp', 'jpeg'] as const

const shared = {
  prompt: text(
    'prompt must be a text of 1 to 4000 characters.',
    (prompt) => prompt.trim() !== '' && prompt.length <= 4000,
  ),
  aspect_ratio: v.optional(oneOf('aspect_ratio', aspectRatios)),
  seed: v.optional(wholeNumber('seed', 0, 4294967295)),
  image: v.optional(
    text(
      'image must be an http(s) URL, or a data URI with a PNG, JPEG, WebP or GIF picture in base64.',
      (image) => isHttpUrl(image) || isImageDataUri(image),
    ),
  ),
}

const image = {
  ...shared,
  resolution: v.optional(oneOf('resolution', resolutions)),
  num_outputs: v.optional(wholeNumber('num_outputs', 1, 4), 1),
  format: v.optional(oneOf('format', formats), 'png'),
}

const video = {
  ...shared,
  resolution: v.optional(oneOf('resolution', resolutions), '720p'),
  duration: v.optional(numberWithin('duration', 1, 10), 3),
  fps: v.optional(wholeNumber('fps', 12, 30), 24),
}

const simulation = {
  simulate_latency_ms: v.optional(wholeNumber('simulate_latency_ms', 0, 600_000)),
  simulate_error: v.optional(oneOf('simulate_error', providerFailures)),
}

export type ImageInput = v.InferOutput<v.ObjectSchema<typeof image, undefined>>
export type VideoInput = v.InferOutput<v.ObjectSchema<typeof video, undefined>>
export type Simulation = v.InferOutput<v.ObjectSchema<typeof simulation, undefined>>

/** The inputs of the two models; `allowSimulation` adds the fields that rehearse slow and failing jobs. */
export function inputSchemas(allowSimulation: boolean) {
  const extra = allowSimulation ? simulation : {}
  return { image: closed({ ...image, ...extra }), video: closed({ ...video, ...extra }) }
}

function closed<const T extends v.ObjectEntries>(entries: T) {
  const accepted = Object.keys(entries).join(', ')
  return v.strictObject(entries, (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    if (issue.expected === 'never') return `${String(key)} is unknown; this model takes ${accepted}.`
    return `${String(key)} is required.`
  })
}

function text(message: string, isAccepted: (text: string) => boolean) {
  return v.pipe(v.string(message), v.check(isAccepted, message))
}

function oneOf<const T extends readonly string[]>(field: string, choices: T) {
  return v.picklist(choices, `${field} must be one of ${choices.join(', ')}.`)
}

function numberWithin(field: string, low: number, high: number) {
  const message = `${field} must be a number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message))
}

function wholeNumber(field: string, low: number, high: number) {
  const message = `${field} must be a whole number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, message))
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && text.length <= 8192 && URL.canParse(text)
}
