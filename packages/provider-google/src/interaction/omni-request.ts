import { objectIn } from '../answers/object-in.ts'
import type { EncodedFile } from '../files/encoded-files.ts'
import { definedFields } from '@genmount/provider-kit'
import type { OmniInput } from '../omni/omni-input.ts'

/** The film and the pictures of an input, in the order in which they are sent. */
export function omniSources({
  video,
  image,
  last_frame,
  reference_images = [],
}: OmniInput): readonly string[] {
  return [video, image, last_frame, reference_images].flat().filter((source) => source !== undefined)
}

/**
 * The body of `POST /interactions`. The interaction runs in the background and is stored, because only a stored
 * interaction can be polled by its id. The body asks for the film as a link, because the film may be too large for the
 * answer.
 * @param files the files of `omniSources`, in the same order
 * @see https://ai.google.dev/gemini-api/docs/omni
 */
export function omniRequest(model: string, input: OmniInput, files: readonly EncodedFile[]): object {
  const { aspect_ratio, resolution, duration, provider_options = {} } = input
  const config = objectIn(provider_options, 'generation_config')
  const task = taskOf(input)
  const generationConfig = {
    ...config,
    ...(task && { video_config: { ...objectIn(config, 'video_config'), task } }),
  }
  const media = files.map(({ mimeType, data }) => ({
    type: mimeType.startsWith('video/') ? 'video' : 'image',
    data,
    mime_type: mimeType,
  }))
  const text = promptOf(input)
  return {
    ...provider_options,
    model,
    input: media.length === 0 ? text : [...media, { type: 'text', text }],
    background: true,
    store: true,
    response_format: {
      type: 'video',
      delivery: 'uri',
      resolution,
      duration: `${duration}s`,
      ...definedFields({ aspect_ratio }),
    },
    ...(Object.keys(generationConfig).length > 0 && { generation_config: generationConfig }),
  }
}

/**
 * Each documented task accepts one kind of pictures. If there are several kinds, Google derives the task from the tags
 * in the prompt.
 */
function taskOf({ video, image, last_frame, reference_images }: OmniInput): string | undefined {
  if (video !== undefined) return 'extend'
  if (image === undefined) return reference_images === undefined ? 'text_to_video' : 'reference_to_video'
  return last_frame === undefined && reference_images === undefined ? 'image_to_video' : undefined
}

/**
 * The API has no field for the role of a picture. Declarations at the beginning of the prompt state the roles. A prompt
 * that already has declarations stays unchanged. https://ai.google.dev/gemini-api/docs/omni#use-tags-in-prompts
 */
function promptOf({ prompt, image, last_frame, reference_images = [] }: OmniInput): string {
  if (prompt.includes('[# ')) return prompt
  const frames = [
    ...(image === undefined ? [] : ['<FIRST_FRAME>']),
    ...(last_frame === undefined ? [] : ['<LAST_FRAME>']),
  ]
  const sources = frames.map((tag, index) => `${tag}@Image${index + 1}`)
  const references = reference_images.map(
    (_, index) => `<IMAGE_REF_${index}>@Image${frames.length + index + 1}`,
  )
  return [declaration('Sources', sources), declaration('References', references), prompt]
    .filter(Boolean)
    .join(' ')
}

function declaration(role: string, tags: readonly string[]): string {
  return tags.length === 0 ? '' : `[# ${role} ${tags.join(' ')}]`
}
