import type { JsonObject } from '@genmount/core'
import { bareBase64 } from '@genmount/provider-kit'
import type { OfferedModel } from './bfl-options.ts'

/**
 * The body of a submit, without the webhook.
 * @returns a text for the job's owner, when the endpoint can't express the input
 */
export function requestBody(
  input: JsonObject,
  { vendorInput, hasModes }: Pick<OfferedModel, 'vendorInput' | 'hasModes'>,
): JsonObject | string {
  const body = vendorInput(withBareFiles(input))
  if (!body) return 'The input cannot be translated for this model.'
  if (!hasModes) return body
  const { keyframes, start_video: film } = body
  // A single keyframe opens the film, so a last frame alone would become the first.
  if (input['last_frame'] !== undefined && input['image'] === undefined)
    return 'last_frame is only accepted together with image.'
  if (keyframes !== undefined && film !== undefined)
    return 'video is not accepted together with image or last_frame.'
  return { ...body, mode: keyframes !== undefined ? 'i2v' : film !== undefined ? 'v2v' : 't2v' }
}

const files = ['image', 'last_frame', 'mask', 'video', 'reference_images', 'reference_videos', 'audio']

/** BFL accepts files as URLs or as bare base64, but not as data URIs (@ai-sdk/black-forest-labs 2.0.41). */
function withBareFiles(input: JsonObject): JsonObject {
  const fields = Object.entries(input)
  return Object.fromEntries(
    fields.map(([name, value]) => [name, files.includes(name) ? bareBase64(value) : value]),
  )
}
