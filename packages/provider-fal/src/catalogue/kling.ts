// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'

/** Entries of the catalogue. */
export const kling = {
  /** `fal-ai/kling-video/v3/pro/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  kling3Pro: {
    id: 'kling-3-pro',
    endpoint: 'fal-ai/kling-video/v3/pro/text-to-video',
    outputKind: 'video',
    fields: {
      sound: 'generate_audio',
      guidance: 'cfg_scale',
      resolution: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      aspect_ratio: ['16:9', '9:16', '1:1'],
      guidance: { max: 1 },
      duration: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: 0.14,
    priceUnit: 'unit',
  },

  /** `fal-ai/kling-video/v3/pro/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  kling3ProFromImage: {
    id: 'kling-3-pro-from-image',
    endpoint: 'fal-ai/kling-video/v3/pro/image-to-video',
    outputKind: 'video',
    fields: {
      image: 'start_image_url',
      last_frame: 'end_image_url',
      sound: 'generate_audio',
      guidance: 'cfg_scale',
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      guidance: { max: 1 },
      duration: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt', 'image'],
    price: 0.14,
    priceUnit: 'unit',
  },

  /** `fal-ai/kling-video/v3/standard/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  kling3Standard: {
    id: 'kling-3-standard',
    endpoint: 'fal-ai/kling-video/v3/standard/text-to-video',
    outputKind: 'video',
    fields: {
      sound: 'generate_audio',
      guidance: 'cfg_scale',
      resolution: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      aspect_ratio: ['16:9', '9:16', '1:1'],
      guidance: { max: 1 },
      duration: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: 0.14,
    priceUnit: 'unit',
  },

  /** `fal-ai/kling-video/v3/standard/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  kling3StandardFromImage: {
    id: 'kling-3-standard-from-image',
    endpoint: 'fal-ai/kling-video/v3/standard/image-to-video',
    outputKind: 'video',
    fields: {
      image: 'start_image_url',
      last_frame: 'end_image_url',
      sound: 'generate_audio',
      guidance: 'cfg_scale',
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      guidance: { max: 1 },
      duration: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt', 'image'],
    price: 0.14,
    priceUnit: 'unit',
  },

  /** `fal-ai/kling-video/v2.6/pro/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  kling26Pro: {
    id: 'kling-2.6-pro',
    endpoint: 'fal-ai/kling-video/v2.6/pro/text-to-video',
    outputKind: 'video',
    fields: {
      sound: 'generate_audio',
      guidance: 'cfg_scale',
      resolution: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      aspect_ratio: ['16:9', '9:16', '1:1'],
      guidance: { max: 1 },
      duration: [5, 10],
    },
    required: ['prompt'],
    price: 0.07,
    priceUnit: 'unit',
  },

  /** `fal-ai/kling-video/v2.6/pro/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  kling26ProFromImage: {
    id: 'kling-2.6-pro-from-image',
    endpoint: 'fal-ai/kling-video/v2.6/pro/image-to-video',
    outputKind: 'video',
    fields: {
      image: 'start_image_url',
      last_frame: 'end_image_url',
      sound: 'generate_audio',
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: { prompt: { max: 2500 }, negative_prompt: { max: 2500 }, duration: [5, 10] },
    required: ['prompt', 'image'],
    price: 0.07,
    priceUnit: 'unit',
  },

  /** `fal-ai/kling-video/v2.5-turbo/pro/text-to-video` as of 2026-08-02. No price is known here. */
  kling25TurboPro: {
    id: 'kling-2.5-turbo-pro',
    endpoint: 'fal-ai/kling-video/v2.5-turbo/pro/text-to-video',
    outputKind: 'video',
    fields: { guidance: 'cfg_scale', resolution: false, seed: false, fps: false, image: false },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      aspect_ratio: ['16:9', '9:16', '1:1'],
      guidance: { max: 1 },
      duration: [5, 10],
    },
    required: ['prompt'],
  },

  /** `fal-ai/kling-video/v2.5-turbo/pro/image-to-video` as of 2026-08-02. No price is known here. */
  kling25TurboProFromImage: {
    id: 'kling-2.5-turbo-pro-from-image',
    endpoint: 'fal-ai/kling-video/v2.5-turbo/pro/image-to-video',
    outputKind: 'video',
    fields: {
      last_frame: 'tail_image_url',
      guidance: 'cfg_scale',
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: {
      prompt: { max: 2500 },
      negative_prompt: { max: 2500 },
      guidance: { max: 1 },
      duration: [5, 10],
    },
    required: ['prompt', 'image'],
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
