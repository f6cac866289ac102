import type { JsonObject, OutputKind } from '@genmount/core'
import { classifyUrl } from '@genmount/guarded-fetch'
import * as v from 'valibot'

/** What is known of a model's input. */
export interface InputTraits {
  readonly outputKind: OutputKind
  readonly maxOutputs: number
  readonly takesFiles: boolean
}

const maxImages = 16

const shared = {
  prompt: v.optional(
    text(
      'prompt must be a text of 1 to 32000 characters.',
      (prompt) => prompt.trim() !== '' && prompt.length <= 32_000,
    ),
  ),
  aspect_ratio: v.optional(
    text('aspect_ratio must be width:height, such as 16:9.', (ratio) => /^\d{1,4}:\d{1,4}$/.test(ratio)),
  ),
  seed: v.optional(wholeNumber('seed', 0, 4_294_967_295)),
  provider_options: v.optional(
    v.custom<Readonly<Record<string, JsonObject>>>(
      (options) => isObject(options) && Object.values(options).every(isObject),
      'provider_options must be an object of objects, each under the name of a vendor.',
    ),
  ),
}

const imageFields = {
  ...shared,
  size: v.optional(
    text('size must be width x height in pixels, such as 1024x1024.', (size) =>
      /^\d{2,5}x\d{2,5}$/.test(size),
    ),
  ),
}
const imageFiles = { image: v.optional(oneOrMore('image')), mask: v.optional(picture('mask')) }

const videoFields = {
  ...shared,
  resolution: v.optional(
    text('resolution must be 480p, 720p, 1080p, 4k, or width x height such as 1280x720.', (resolution) =>
      /^(480p|720p|1080p|4k|\d{2,5}x\d{2,5})$/.test(resolution),
    ),
  ),
  duration: v.optional(numberWithin('duration', 0.1, 600)),
  fps: v.optional(wholeNumber('fps', 1, 120)),
  audio: v.optional(v.boolean('audio must be true or false.')),
  image: v.optional(picture('image')),
  last_frame: v.optional(picture('last_frame')),
  reference_images: v.optional(oneOrMore('reference_images')),
}

export type ImageInput = v.InferOutput<v.ObjectSchema<typeof imageFields & typeof imageFiles, undefined>>
export type VideoInput = v.InferOutput<v.ObjectSchema<typeof videoFields, undefined>>
export type MediaInput = (ImageInput | VideoInput) & { readonly num_outputs: number }

/** The input of a model. Which of the fields it honours is between the vendor and its AI SDK package. */
export function inputSchema({ outputKind, maxOutputs, takesFiles }: InputTraits) {
  const num_outputs = v.optional(wholeNumber('num_outputs', 1, maxOutputs), 1)
  if (outputKind === 'video') return closed({ ...videoFields, num_outputs })
  return takesFiles
    ? closed({ ...imageFields, ...imageFiles, num_outputs })
    : closed({ ...imageFields, num_outputs })
}

function closed<const T extends v.ObjectEntries>(entries: T) {
  const accepted = Object.keys(entries).join(', ')
  const schema = v.strictObject(entries, (issue) => {
    const key = issue.path?.at(-1)?.key
    if (key === undefined) return `The input must be an object with the fields ${accepted}.`
    return `${String(key)} is unknown; this model takes ${accepted}.`
  })
  return v.pipe(
    schema,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return
      const input: Readonly<Record<string, unknown>> = dataset.value
      const ask = (key: string, message: string) =>
        addIssue({
          message,
          path: [{ type: 'object', origin: 'value', input, key, value: input[key] }],
        })
      if (input['prompt'] === undefined && input['image'] === undefined)
        ask('prompt', 'prompt is required where there is no image.')
      if (input['mask'] !== undefined && input['image'] === undefined)
        ask('image', 'image is required where there is a mask.')
    }),
  )
}

/** A picture as an http(s) URL or as a data URI. */
function picture(field: string) {
  return text(
    `${field} must be a public http(s) URL, or a data URI in base64 of a PNG, JPEG, WebP, GIF or AVIF picture.`,
    (image) => isPictureDataUri(image) || (image.length <= 8192 && classifyUrl(image).allowed),
  )
}

function oneOrMore(field: string) {
  const message = `${field} must be a picture or a list of 1 to ${maxImages}.`
  const list = v.pipe(v.array(picture(field)), v.minLength(1, message), v.maxLength(maxImages, message))
  return v.union([picture(field), list], message)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Looks at the head only, however long the text is. */
function isPictureDataUri(text: string): boolean {
  return /^data:image\/(png|jpe?g|webp|gif|avif);base64,[\w+/]/i.test(text.slice(0, 40))
}

function text(message: string, isAccepted: (text: string) => boolean) {
  return v.pipe(v.string(message), v.check(isAccepted, message))
}

function numberWithin(field: string, low: number, high: number) {
  const message = `${field} must be a number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.minValue(low, message), v.maxValue(high, message))
}

function wholeNumber(field: string, low: number, high: number) {
  const message = `${field} must be a whole number from ${low} to ${high}.`
  return v.pipe(v.number(message), v.integer(message), v.minValue(low, message), v.maxValue(high, message))
}
