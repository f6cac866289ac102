import type { ComfyRouterModel } from '../router-options.ts'
import { seedancePart, veoImage } from './shared-schemas.ts'

/** Entries of the catalogue: models for films. See `images.ts` for where the schemas are from. */
export const films = {
  /** `kling/kling-3.0-turbo` at 0126e16, from text alone. */
  kling3Turbo: {
    id: 'kling-3-turbo',
    model: 'kling/kling-3.0-turbo',
    outputKind: 'video',
    schema: {
      type: 'object',
      required: ['prompt'],
      properties: {
        prompt: { type: 'string', maxLength: 3072 },
        settings: {
          type: 'object',
          properties: {
            aspect_ratio: { type: 'string', enum: ['16:9', '9:16', '1:1'] },
            duration: { type: 'integer', minimum: 3, maximum: 15 },
            resolution: { type: 'string', enum: ['720p', '1080p'] },
          },
        },
        options: {
          type: 'object',
          properties: {
            external_task_id: { type: 'string' },
            watermark_info: { type: 'object', properties: { enabled: { type: 'boolean' } } },
          },
        },
      },
    },
  },

  /** `kling/kling-v3` at 07211bc, from text alone. */
  kling3: {
    id: 'kling-3',
    model: 'kling/kling-v3',
    outputKind: 'video',
    required: ['prompt'],
    schema: {
      type: 'object',
      properties: {
        prompt: { type: 'string', maxLength: 2500 },
        negative_prompt: { type: 'string', maxLength: 2500 },
        aspect_ratio: { type: 'string', enum: ['16:9', '9:16', '1:1'] },
        cfg_scale: { type: 'number', minimum: 0, maximum: 1 },
        duration: { type: 'string', enum: '3 4 5 6 7 8 9 10 11 12 13 14 15'.split(' ') },
        mode: { type: 'string', enum: ['std', 'pro'] },
        sound: { type: 'string', enum: ['on', 'off'] },
        multi_shot: { type: 'boolean' },
      },
    },
  },

  /** `byteplus/dreamina-seedance-2-5-260628` at 07211bc. Its lengths are in its prose. */
  seedance25: {
    id: 'seedance-2.5',
    model: 'byteplus/dreamina-seedance-2-5-260628',
    outputKind: 'video',
    schema: {
      type: 'object',
      required: ['content'],
      properties: {
        content: { type: 'array', minItems: 1, items: seedancePart },
        duration: { type: 'integer', anyOf: [{ enum: [-1] }, { minimum: 2, maximum: 30 }] },
        generate_audio: { type: 'boolean' },
        output_format: { type: 'string', enum: ['mp4', 'mov'] },
        ratio: { type: 'string', enum: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21', 'adaptive'] },
        resolution: { type: 'string', enum: ['480p', '720p', '1080p', '4k'] },
        return_last_frame: { type: 'boolean' },
        seed: { type: 'integer', minimum: -1, maximum: 4294967295 },
        watermark: { type: 'boolean' },
      },
    },
    limits: {
      duration: Array.from({ length: 27 }, (_, index) => index + 4),
      resolution: ['480p', '720p', '1080p'],
    },
  },

  /** `veo/veo-3.1-fast-generate-001` at 2b2f090. Its lengths are in its prose. */
  veo31Fast: {
    id: 'veo-3.1-fast',
    model: 'veo/veo-3.1-fast-generate-001',
    outputKind: 'video',
    schema: {
      type: 'object',
      properties: {
        instances: {
          type: 'array',
          items: {
            type: 'object',
            required: ['prompt'],
            properties: { prompt: { type: 'string' }, image: veoImage, lastFrame: veoImage },
          },
        },
        parameters: {
          type: 'object',
          properties: {
            aspectRatio: { type: 'string', enum: ['16:9', '9:16'] },
            durationSeconds: { type: 'number' },
            generateAudio: { type: 'boolean' },
            negativePrompt: { type: 'string' },
            personGeneration: { type: 'string', enum: ['dont_allow', 'allow_adult', 'allowAll'] },
            resolution: { type: 'string', enum: ['720p', '1080p', '4k'] },
            sampleCount: { type: 'integer', minimum: 1, maximum: 4 },
            seed: { type: 'integer' },
          },
        },
      },
    },
    limits: { duration: [4, 6, 8] },
  },

  /** `wan/wan3.0-video` at 0b9d79d. Its lengths, and that Comfy needs a resolution to bill it, are in its prose. */
  wan3: {
    id: 'wan-3',
    model: 'wan/wan3.0-video',
    outputKind: 'video',
    required: ['prompt', 'resolution'],
    schema: {
      type: 'object',
      required: ['input'],
      properties: {
        input: {
          type: 'object',
          properties: {
            prompt: { type: 'string', maxLength: 20_000 },
            negative_prompt: { type: 'string', maxLength: 500 },
            media: {
              type: 'array',
              items: {
                type: 'object',
                required: ['type', 'url'],
                properties: {
                  type: {
                    type: 'string',
                    enum: [
                      'first_frame',
                      'last_frame',
                      'reference_image',
                      'reference_video',
                      'reference_audio',
                    ],
                  },
                  url: { type: 'string' },
                },
              },
            },
          },
        },
        parameters: {
          type: 'object',
          properties: {
            audio: { type: 'boolean' },
            duration: { type: 'integer', minimum: 2, maximum: 30 },
            prompt_extend: { type: 'boolean' },
            ratio: { type: 'string', enum: ['adaptive', '16:9', '9:16', '1:1', '4:3', '3:4'] },
            resolution: { type: 'string', enum: ['480P', '720P', '1080P'] },
            seed: { type: 'integer', minimum: 0, maximum: 2147483647 },
            watermark: { type: 'boolean' },
          },
        },
      },
    },
  },

  /** `ltx/ltx-2-5-pro` at 5983170, from text alone. */
  ltx25Pro: {
    id: 'ltx-2.5-pro',
    model: 'ltx/ltx-2-5-pro',
    outputKind: 'video',
    schema: {
      type: 'object',
      required: ['prompt', 'duration', 'resolution'],
      properties: {
        prompt: { type: 'string', maxLength: 10_000 },
        duration: { type: 'integer', enum: [2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20] },
        fps: { type: 'integer', enum: [24, 25, 48, 50] },
        generate_audio: { type: 'boolean' },
        resolution: { type: 'string', enum: ['1280x720', '720x1280', '1920x1080', '1080x1920'] },
      },
    },
  },

  /** `xai/grok-imagine-video-1.5` at 4fd833a. */
  grokImagineVideo15: {
    id: 'grok-imagine-video-1.5',
    model: 'xai/grok-imagine-video-1.5',
    outputKind: 'video',
    schema: {
      type: 'object',
      required: ['prompt'],
      properties: {
        prompt: { type: 'string', maxLength: 4096 },
        aspect_ratio: { type: 'string', enum: ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'] },
        duration: { type: 'integer', minimum: 1, maximum: 15 },
        image: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
        reference_images: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['url'], properties: { url: { type: 'string' } } },
        },
        resolution: { type: 'string' },
      },
    },
  },
} satisfies Readonly<Record<string, ComfyRouterModel & { readonly id: string; readonly model: string }>>
