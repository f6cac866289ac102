import type { VendorFields } from '@genmount/provider-kit'

/**
 * How OpenRouter calls the fields of the interface. Frames and references are lists of parts, as in its chats.
 * @see https://openrouter.ai/docs/guides/overview/multimodal/video-generation (read in November 2026)
 */
export const usualFields: VendorFields = {
  image: (url) => ({ frame_images: [{ ...part('image_url', url), frame_type: 'first_frame' }] }),
  last_frame: (url) => ({ frame_images: [{ ...part('image_url', url), frame_type: 'last_frame' }] }),
  reference_images: (urls) => ({ input_references: urls.map((url) => part('image_url', url)) }),
  reference_videos: (urls) => ({ input_references: urls.map((url) => part('video_url', url)) }),
  audio: (url) => ({ input_references: [part('audio_url', url)] }),
  sound: 'generate_audio',
  negative_prompt: false,
  fps: false,
}

/** Parameters that the fields set, or that decide where the webhook goes. */
export const reservedParameters: readonly string[] = [
  'model',
  'frame_images',
  'input_references',
  'generate_audio',
  'callback_url',
  'size',
]

function part(type: 'image_url' | 'video_url' | 'audio_url', url: string) {
  return { type, [type]: { url } }
}
