import type { JsonObject, Model, OutputKind } from '@genmount/core'
import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'

/** What clients send, validated. */
export interface FalInput {
  readonly prompt?: string | undefined
  /** An http(s) URL or a data URI. */
  readonly image?: string | undefined
  readonly aspect_ratio?: string | undefined
  readonly resolution?: string | undefined
  /** Seconds; films only. */
  readonly duration?: number | undefined
  readonly seed?: number | undefined
  /** Pictures only. */
  readonly num_outputs?: number | undefined
  /** Fields of the endpoint's own. */
  readonly provider_options?: JsonObject | undefined
}

const maxPromptLength = 20_000

const shared = {
  prompt: v.optional(
    text(
      `prompt must be a text of 1 to ${maxPromptLength} characters.`,
      (prompt) => prompt.trim() !== '' && prompt.length <= maxPromptLength,
    ),
  ),
  image: v.optional(
    v.pipe(
      v.string('image must be a URL or a data URI.'),
      v.check(
        (image) => refusalOf(image) === undefined,
        ({ input }) => `image: ${refusalOf(input)}`,
      ),
    ),
  ),
  aspect_ratio: v.optional(
    text('aspect_ratio must be width:height, such as 16:9.', (ratio) => /^[1-9]\d?:[1-9]\d?$/.test(ratio)),
  ),
  resolution: v.optional(
    text('resolution must be a short text, such as 720p.', (resolution) =>
      /^[\w.x-]{1,20}$/.test(resolution),
    ),
  ),
  seed: v.optional(wholeNumber('seed', 0, Number.MAX_SAFE_INTEGER)),
  provider_options: v.optional(
    v.record(v.string(), v.unknown(), 'provider_options must be an object with fields of the endpoint.'),
  ),
}

const fields = {
  image: { ...shared, num_outputs: v.optional(wholeNumber('num_outputs', 1, 10)) },
  video: { ...shared, duration: v.optional(seconds('duration')) },
}

/** The input schema of endpoints that make pictures, or films. */
export function inputSchema(outputKind: OutputKind): Model['input'] {
  const entries = fields[outputKind]
  const accepted = Object.keys(entries).join(', ')
  return v.pipe(
    v.strictObject(entries as typeof shared, (issue) => {
      const key = issue.path?.at(-1)?.key
      if (key === undefined) return `The input must be an object with the fields ${accepted}.`
      return `${String(key)} is unknown; this model takes ${accepted}.`
    }),
    v.forward(
      v.check(
        ({ prompt, image }) => prompt !== undefined || image !== undefined,
        'prompt is required, unless there is an image.',
      ),
      ['prompt'],
    ),
  )
}

/** The input under the names that most of fal's endpoints know it by. */
export function usualFields(input: FalInput, outputKind: OutputKind): JsonObject {
  const { prompt, image, aspect_ratio, resolution, duration, seed, num_outputs, provider_options } = input
  const usual = {
    // A result with the files themselves would be too large to be read: it always has links.
    ...provider_options,
    sync_mode: undefined,
    ...defined({
      prompt,
      image_url: image,
      seed,
      resolution,
      num_images: num_outputs,
      duration: duration === undefined ? undefined : String(duration),
    }),
    ...(aspect_ratio !== undefined &&
      (outputKind === 'video' ? { aspect_ratio } : { image_size: imageSize(aspect_ratio) })),
  }
  return defined(usual)
}

/** https://fal.ai/models/fal-ai/flux/dev/api#schema-input */
const presets: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
  '16:9': 'landscape_16_9',
  '9:16': 'portrait_16_9',
}

/** A preset, or about a megapixel in steps of 16 pixels. */
function imageSize(ratio: string): string | JsonObject {
  const [width = 1, height = 1] = ratio.split(':').map(Number)
  const side = (part: number, other: number) => Math.round((Math.sqrt(part / other) * 1024) / 16) * 16
  return presets[ratio] ?? { width: side(width, height), height: side(height, width) }
}

function defined(object: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject
}

/** Why fal should not be asked to fetch it, or `undefined`. */
function refusalOf(image: string): string | undefined {
  if (/^data:/i.test(image))
    return /^data:image\/[\w.+-]+;base64,/i.test(image.slice(0, 100))
      ? undefined
      : 'A data URI must be of an image, in base64.'
  const verdict = classifyUrl(image)
  return verdict.allowed ? undefined : verdict.refusal.message
}

function text(message: string, isAccepted: (text: string) => boolean) {
  return v.pipe(v.string(message), v.check(isAccepted, message))
}

function wholeNumber(field: string, low: number, high: number) {
  const message = `${field} must be a whole number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, message))
}

function seconds(field: string) {
  const message = `${field} must be a number of seconds above 0, up to 600.`
  return v.pipe(v.number(message), v.gtValue(0, message), v.maxValue(600, message))
}
