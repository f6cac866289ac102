import type { JsonObject } from '@genmount/core'
import type { OfferedModel } from './bfl-options.ts'

/**
 * The body of a submit, without the webhook.
 * @returns a text for the job's owner, when the endpoint can't express the input
 */
export function requestBody(
  input: JsonObject,
  { vendorInput, hasModes }: Pick<OfferedModel, 'vendorInput' | 'hasModes'>,
): JsonObject | string {
  const body = vendorInput(input)
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
