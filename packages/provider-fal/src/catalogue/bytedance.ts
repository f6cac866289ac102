// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'

/** Entries of the catalogue. */
export const bytedance = {
  /** `fal-ai/bytedance/seedream/v4.5/text-to-image` as of 2026-08-02. Price of 2026-07-28. */
  seedream45: {
    id: 'seedream-4.5',
    endpoint: 'fal-ai/bytedance/seedream/v4.5/text-to-image',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 6 } },
    required: ['prompt'],
    price: 0.04,
    priceUnit: 'image',
  },

  /** `fal-ai/bytedance/seedream/v4.5/edit` as of 2026-08-02. Price of 2026-07-28. */
  seedream45Edit: {
    id: 'seedream-4.5-edit',
    endpoint: 'fal-ai/bytedance/seedream/v4.5/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[10]', negative_prompt: false, resolution: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 6 } },
    required: ['prompt', 'image'],
    price: 0.04,
    priceUnit: 'image',
  },

  /** `bytedance/seedream/v5/lite/text-to-image` as of 2026-08-02. Price of 2026-07-28. */
  seedream5Lite: {
    id: 'seedream-5-lite',
    endpoint: 'bytedance/seedream/v5/lite/text-to-image',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, seed: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt'],
    price: 0.035,
    priceUnit: 'image',
  },

  /** `bytedance/seedream/v5/lite/edit` as of 2026-08-02. Price of 2026-07-28. */
  seedream5LiteEdit: {
    id: 'seedream-5-lite-edit',
    endpoint: 'bytedance/seedream/v5/lite/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[10]', negative_prompt: false, resolution: false, seed: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt', 'image'],
    price: 0.035,
    priceUnit: 'image',
  },

  /** `bytedance/seedream/v5/pro/text-to-image` as of 2026-08-02. Price of 2026-07-28. */
  seedream5Pro: {
    id: 'seedream-5-pro',
    endpoint: 'bytedance/seedream/v5/pro/text-to-image',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, seed: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt'],
    price: 0.0675,
    priceUnit: 'unit',
  },

  /** `bytedance/seedream/v5/pro/edit` as of 2026-08-02. Price of 2026-07-28. */
  seedream5ProEdit: {
    id: 'seedream-5-pro-edit',
    endpoint: 'bytedance/seedream/v5/pro/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[10]', negative_prompt: false, resolution: false, seed: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt', 'image'],
    price: 0.0675,
    priceUnit: 'unit',
  },

  /** `bytedance/seedance-2.0/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  seedance2: {
    id: 'seedance-2',
    endpoint: 'bytedance/seedance-2.0/text-to-video',
    outputKind: 'video',
    fields: { sound: 'generate_audio', negative_prompt: false, seed: false, fps: false, image: false },
    limits: {
      aspect_ratio: ['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
      resolution: ['480p', '720p', '1080p', '4k'],
      duration: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: 0.014,
    priceUnit: 'unit',
  },

  /** `bytedance/seedance-2.0/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  seedance2FromImage: {
    id: 'seedance-2-from-image',
    endpoint: 'bytedance/seedance-2.0/image-to-video',
    outputKind: 'video',
    fields: {
      last_frame: 'end_image_url',
      sound: 'generate_audio',
      negative_prompt: false,
      seed: false,
      fps: false,
    },
    limits: {
      aspect_ratio: ['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
      resolution: ['480p', '720p', '1080p', '4k'],
      duration: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt', 'image'],
    price: 0.014,
    priceUnit: 'unit',
  },

  /** `bytedance/seedance-2.0/reference-to-video` as of 2026-08-02. Price of 2026-07-28. */
  seedance2FromReferences: {
    id: 'seedance-2-from-references',
    endpoint: 'bytedance/seedance-2.0/reference-to-video',
    outputKind: 'video',
    fields: {
      reference_images: 'image_urls[9]',
      reference_videos: 'video_urls[3]',
      audio: 'audio_urls[3]',
      sound: 'generate_audio',
      negative_prompt: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: {
      aspect_ratio: ['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
      resolution: ['480p', '720p', '1080p', '4k'],
      duration: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: 0.014,
    priceUnit: 'unit',
  },

  /** `bytedance/seedance-2.0/fast/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  seedance2Fast: {
    id: 'seedance-2-fast',
    endpoint: 'bytedance/seedance-2.0/fast/text-to-video',
    outputKind: 'video',
    fields: { sound: 'generate_audio', negative_prompt: false, seed: false, fps: false, image: false },
    limits: {
      aspect_ratio: ['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
      resolution: ['480p', '720p'],
      duration: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: 0.0112,
    priceUnit: 'unit',
  },

  /** `bytedance/seedance-2.0/fast/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  seedance2FastFromImage: {
    id: 'seedance-2-fast-from-image',
    endpoint: 'bytedance/seedance-2.0/fast/image-to-video',
    outputKind: 'video',
    fields: {
      last_frame: 'end_image_url',
      sound: 'generate_audio',
      negative_prompt: false,
      seed: false,
      fps: false,
    },
    limits: {
      aspect_ratio: ['auto', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'],
      resolution: ['480p', '720p'],
      duration: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt', 'image'],
    price: 0.0112,
    priceUnit: 'unit',
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
