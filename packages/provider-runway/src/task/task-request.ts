import type { Json, JsonObject } from '@genmount/core'
import type { OfferedModel } from '../provider/runway-options.ts'

/** The request that starts a task. */
export interface TaskRequest {
  /** The path of the endpoint below `/v1`. */
  readonly path: string
  readonly json: JsonObject
}

/** The lists of files, and the properties that Runway requires beside each address. */
const lists: Readonly<Record<string, JsonObject>> = {
  referenceImages: {},
  references: {},
  referenceVideos: { type: 'video' },
  referenceAudio: { type: 'audio' },
}

/**
 * Turns a job's input into the request that starts its task.
 * @returns a text for the job's owner, when Runway can't express the input
 */
export function taskRequest(
  input: JsonObject,
  { model, endpoint, outputKind, vendorInput, required }: Omit<OfferedModel, 'price' | 'input'>,
): TaskRequest | string {
  const translated = vendorInput(input)
  if (!translated) return 'The input cannot be translated for this model.'
  const { promptImage, lastFrame, ...body } = translated
  if (lastFrame !== undefined && promptImage === undefined)
    return 'last_frame is only accepted together with image.'
  const isFilmGiven = body['promptVideo'] !== undefined || body['videoUri'] !== undefined
  if (isFilmGiven && promptImage !== undefined) return 'video is not accepted together with image.'
  const made = isFilmGiven ? 'video_to_video' : promptImage !== undefined ? 'image_to_video' : 'text_to_video'
  const usual = outputKind === 'image' ? 'text_to_image' : made
  // A film in the input determines size and length.
  const isComplete = endpoint !== undefined || isFilmGiven
  const json = {
    ...(isComplete ? {} : required),
    ...Object.fromEntries(Object.entries(body).map(([name, value]) => [name, listed(name, value)])),
    ...(promptImage !== undefined && { promptImage: frames(promptImage, lastFrame) }),
    model,
  }
  return { path: endpoint ?? usual, json }
}

/** The positions are always sent, because some models treat a picture without a position as a reference. */
function frames(first: Json, last: Json | undefined): Json {
  if (typeof first !== 'string') return first
  const opening = { uri: first, position: 'first' }
  return last === undefined ? [opening] : [opening, { uri: last, position: 'last' }]
}

function listed(name: string, value: Json): Json {
  const beside = Object.hasOwn(lists, name) ? lists[name] : undefined
  if (!beside || !Array.isArray(value)) return value
  return (value as readonly Json[]).map((uri) => (typeof uri === 'string' ? { ...beside, uri } : uri))
}
