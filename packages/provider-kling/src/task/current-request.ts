import type { JsonObject } from '@genmount/core'
import { definedFields } from '@genmount/provider-kit'
import { itemsOf, type TaskInput, type TaskOptions, type TaskRequest } from './task-input.ts'

/** What may be in `contents` beside the prompt. */
const roles = ['first_frame', 'last_frame', 'refer_image', 'feature_video', 'base_video', 'element']

/**
 * The request for a film of a model that is named in the path.
 * @see https://kling.ai/document-api/api/video/3-0-omni/text-to-video, /image-to-video and /video-omni
 */
export function currentRequest(task: TaskInput, options: TaskOptions): TaskRequest | string {
  const { model, isOmni, parameters, soundResolution } = task
  const { prompt, watermark_info, sound, ...others } = parameters
  const has = (...names: readonly string[]) => names.some((name) => parameters[name] !== undefined)
  const contents = roles.flatMap((type) =>
    itemsOf(parameters[type]).map((file) =>
      typeof file === 'object' ? { ...file, type } : { type, url: file },
    ),
  )
  if (!isOmni && has('first_frame') && has('aspect_ratio'))
    return 'aspect_ratio is not accepted together with image: the film has the shape of the picture.'
  const settings = definedFields({
    // Required where nothing else decides the shape.
    ...(isOmni && !has('first_frame', 'feature_video', 'base_video') && { aspect_ratio: '16:9' }),
    // Kling makes several shots unless it is told otherwise, and can't where it edits a film.
    ...(has('base_video') && { multi_shot: false }),
    ...(sound !== undefined && { audio: !sound ? 'off' : has('base_video') ? 'original' : 'native' }),
    ...(sound === true && { resolution: soundResolution }),
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !roles.includes(name))),
  }) as JsonObject
  const json = {
    ...(isOmni || contents.length > 0
      ? { contents: [...itemsOf(prompt).map((text) => ({ type: 'prompt', text })), ...contents] }
      : { prompt }),
    settings,
    options: definedFields({ ...options, watermark_info }),
  } as JsonObject
  const kind = isOmni ? 'omni-video' : has('first_frame') ? 'image-to-video' : 'text-to-video'
  return { path: `/${kind}/${model}`, json }
}
