import type { Json, JsonObject } from '@genmount/core'
import type { OfferedModel } from './ark-options.ts'
import { imageSize } from './image-size.ts'

/** The request to ModelArk for a job. */
export interface ArkRequest {
  readonly path: string
  readonly json: JsonObject
}

/** Makes the request for a job. @returns a text that says what is wrong, when the job's input is wrong */
export function requestOf(
  { slug: model, outputKind, vendorInput, fixed }: OfferedModel,
  input: JsonObject,
): ArkRequest | string {
  const translated = vendorInput(input)
  if (!translated) return 'The input cannot be translated for this model.'
  return outputKind === 'image'
    ? imageRequest(model, { ...translated, ...fixed })
    : filmRequest(model, { ...translated, ...fixed })
}

function imageRequest(model: string, parameters: JsonObject): ArkRequest | string {
  const { aspect_ratio, resolution, image, ...rest } = parameters
  const size = imageSize(aspect_ratio, resolution)
  if (size === undefined)
    return 'aspect_ratio must be width:height, and resolution next to it a word such as 2K.'
  const [only, ...others] = [image ?? []].flat()
  return {
    path: '/images/generations',
    json: {
      ...rest,
      ...(size !== '' && { size }),
      ...(only !== undefined && { image: others.length === 0 ? only : [only, ...others] }),
      model,
      // As base64, because the URLs of ModelArk are valid for 24 hours only.
      response_format: 'b64_json',
    },
  }
}

/** The kinds of files in `content`, by their roles. */
const roles = {
  first_frame: 'image_url',
  last_frame: 'image_url',
  reference_image: 'image_url',
  reference_video: 'video_url',
  reference_audio: 'audio_url',
} as const

/**
 * Seedance 1.0 and 1.5 take parameters at the end of the prompt as well, such as `--duration 12`, which would bypass the
 * model's fields. https://docs.byteplus.com/en/docs/ModelArk/1520757
 */
const command =
  /(?:^|\s)--(?:resolution|rs|ratio|rt|duration|dur|frames|framespersecond|fps|seed|camerafixed|cf|watermark|wm)\s/i

function filmRequest(model: string, parameters: JsonObject): ArkRequest | string {
  const { prompt, ...rest } = parameters
  if (typeof prompt === 'string' && command.test(`${prompt} `))
    return 'prompt must not contain parameters such as --duration. Use the fields of this model.'
  const files = Object.entries(roles).flatMap(([role, type]) =>
    [rest[role] ?? []].flat().map((url: Json) => ({ type, [type]: { url }, role })),
  )
  const others = Object.entries(rest).filter(([name]) => !(name in roles))
  return {
    path: '/contents/generations/tasks',
    json: {
      ...Object.fromEntries(others),
      model,
      content: [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...files],
    },
  }
}
