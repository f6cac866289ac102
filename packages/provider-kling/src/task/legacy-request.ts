import type { Json, JsonObject } from '@genmount/core'
import { definedFields } from '@genmount/provider-kit'
import { itemsOf, type TaskInput, type TaskOptions, type TaskRequest } from './task-input.ts'

/** The request for a model that is named in the body. */
export function legacyRequest(task: TaskInput, options: TaskOptions): TaskRequest | string {
  const made = task.outputKind === 'image' ? imageRequest(task) : filmRequest(task)
  if (typeof made === 'string') return made
  return { ...made, json: definedFields({ ...made.json, model_name: task.model, ...options }) as JsonObject }
}

/** @see https://kling.ai/document-api/api/image/3-0-omni/image-generation and /image-omni */
function imageRequest({ isOmni, parameters }: TaskInput): TaskRequest | string {
  const { image, ...others } = parameters
  if (isOmni) {
    const list = itemsOf(image).map((file) => ({ image: file }))
    return { path: '/v1/images/omni-image', json: withList(others, 'image_list', list) }
  }
  if (image !== undefined && others['negative_prompt'] !== undefined)
    return 'negative_prompt is not accepted together with image.'
  return { path: '/v1/images/generations', json: { ...others, image: itemsOf(image)[0] } as JsonObject }
}

/** The older names of the resolutions. */
const modes: ReadonlyMap<unknown, string> = new Map([
  ['720p', 'std'],
  ['1080p', 'pro'],
])

/**
 * Second hand, from readers of https://kling.ai/document-api/api/video/3-0-omni/text-to-video/legacy and its neighbours between 2026-02
 * and 2026-08: no copy of these pages was there.
 */
function filmRequest({ isOmni, parameters, soundResolution }: TaskInput): TaskRequest | string {
  const {
    first_frame,
    last_frame,
    refer_image,
    feature_video,
    base_video,
    resolution,
    duration,
    sound,
    ...others
  } = parameters
  const size = resolution ?? (sound === true ? soundResolution : undefined)
  const isEdited = base_video !== undefined
  const shared = {
    ...others,
    mode: modes.get(size) ?? size,
    duration: duration === undefined ? undefined : String(duration),
    // The sound of a film that is edited is its own.
    sound: sound === undefined || isEdited ? undefined : sound === true ? 'on' : 'off',
  }
  if (isOmni) {
    const pictures = [
      ...itemsOf(first_frame).map((image_url) => ({ image_url, type: 'first_frame' })),
      ...itemsOf(last_frame).map((image_url) => ({ image_url, type: 'end_frame' })),
      ...itemsOf(refer_image).map((image_url) => ({ image_url })),
    ]
    const keep_original_sound = sound === undefined ? undefined : sound === true ? 'yes' : 'no'
    const films = [
      ...itemsOf(feature_video).map((video_url) => ({ video_url, refer_type: 'feature' })),
      ...itemsOf(base_video).map((video_url) =>
        definedFields({ video_url, refer_type: 'base', keep_original_sound }),
      ),
    ]
    const isShaped = first_frame !== undefined || films.length > 0
    const json = { ...(!isShaped && { aspect_ratio: '16:9' }), ...shared }
    return {
      path: '/v1/videos/omni-video',
      json: withList(withList(json, 'image_list', pictures), 'video_list', films as readonly Json[]),
    }
  }
  if (first_frame === undefined) return { path: '/v1/videos/text2video', json: shared as JsonObject }
  if (others['aspect_ratio'] !== undefined)
    return 'aspect_ratio is not accepted together with image: the film has the shape of the picture.'
  return {
    path: '/v1/videos/image2video',
    json: { ...shared, image: first_frame, image_tail: last_frame } as JsonObject,
  }
}

function withList(
  fields: Readonly<Record<string, Json | undefined>>,
  name: string,
  list: readonly Json[],
): JsonObject {
  return { ...fields, ...(list.length > 0 && { [name]: list }) } as JsonObject
}
