import type { Json, JsonObject } from '@genmount/core'
import type { OfferedModel } from './xai-options.ts'

/** The request to xAI for a job. */
export interface XaiRequest {
  readonly path: string
  readonly json: JsonObject
}

/** The parameters in which xAI expects files, each as an object with a `url`. */
const fileParameters = ['image', 'video', 'last_frame', 'reference_images', 'reference_audios']

/** @returns `undefined` when a function in the model's `fields` fails */
export function requestOf(model: OfferedModel, input: JsonObject): XaiRequest | undefined {
  const translated = model.vendorInput(input)
  if (!translated) return undefined
  const parameters = Object.fromEntries(
    Object.entries(translated).map(([name, value]) => [
      name,
      fileParameters.includes(name) ? asFile(value) : value,
    ]),
  )
  return model.outputKind === 'image'
    ? imageRequest(model.slug, parameters)
    : { path: videoPaths[model.task], json: { ...parameters, model: model.slug } }
}

const videoPaths = {
  generate: '/videos/generations',
  edit: '/videos/edits',
  extend: '/videos/extensions',
} as const

/**
 * A job with pictures is an edit. xAI takes a single picture in `image` and several in `images`
 * (https://docs.x.ai/developers/model-capabilities/images/editing).
 */
function imageRequest(model: string, { image, ...parameters }: JsonObject): XaiRequest {
  // As base64, because the URLs of xAI are valid for a limited time only.
  const json = { ...parameters, model, response_format: 'b64_json' }
  if (image === undefined) return { path: '/images/generations', json }
  const pictures = [image].flat().map((picture) => ({ ...(picture as JsonObject), type: 'image_url' }))
  const [only] = pictures
  const edited: JsonObject = only && pictures.length === 1 ? { image: only } : { images: pictures }
  return { path: '/images/edits', json: { ...json, ...edited } }
}

/** Objects, which a function in the model's `fields` may have made, stay as they are. */
function asFile(value: Json): Json {
  if (typeof value === 'string') return { url: value }
  return Array.isArray(value) ? value.map(asFile) : value
}
