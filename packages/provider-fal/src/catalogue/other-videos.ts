// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'

/** Entries of the catalogue. */
export const otherVideos = {
  /** `fal-ai/wan/v2.7/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  wan27: {
    id: 'wan-2.7',
    endpoint: 'fal-ai/wan/v2.7/text-to-video',
    outputKind: 'video',
    fields: { audio: 'audio_url', duration: 'duration', fps: false, image: false },
    limits: {
      aspect_ratio: ['16:9', '9:16', '1:1', '4:3', '3:4'],
      resolution: ['720p', '1080p'],
      duration: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: 0.1,
    priceUnit: 'second',
  },

  /** `fal-ai/wan/v2.7/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  wan27FromImage: {
    id: 'wan-2.7-from-image',
    endpoint: 'fal-ai/wan/v2.7/image-to-video',
    outputKind: 'video',
    fields: {
      last_frame: 'end_image_url',
      video: 'video_url',
      audio: 'audio_url',
      duration: 'duration',
      aspect_ratio: false,
      fps: false,
    },
    limits: { resolution: ['720p', '1080p'], duration: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
    price: 0.1,
    priceUnit: 'unit',
  },

  /** `fal-ai/minimax/hailuo-2.3/pro/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  hailuo23Pro: {
    id: 'hailuo-2.3-pro',
    endpoint: 'fal-ai/minimax/hailuo-2.3/pro/text-to-video',
    outputKind: 'video',
    fields: {
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
      image: false,
      duration: false,
    },
    limits: { prompt: { max: 2000 } },
    required: ['prompt'],
    price: 0.49,
    priceUnit: 'unit',
  },

  /** `fal-ai/minimax/hailuo-2.3/pro/image-to-video` as of 2026-08-02. No price is known here. */
  hailuo23ProFromImage: {
    id: 'hailuo-2.3-pro-from-image',
    endpoint: 'fal-ai/minimax/hailuo-2.3/pro/image-to-video',
    outputKind: 'video',
    fields: {
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
      duration: false,
    },
    limits: { prompt: { max: 2000 } },
    required: ['prompt', 'image'],
  },

  /** `fal-ai/minimax/hailuo-2.3/standard/text-to-video` as of 2026-08-02. Price of 2026-07-28. */
  hailuo23: {
    id: 'hailuo-2.3',
    endpoint: 'fal-ai/minimax/hailuo-2.3/standard/text-to-video',
    outputKind: 'video',
    fields: {
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
      image: false,
    },
    limits: { prompt: { max: 2000 }, duration: [6, 10] },
    required: ['prompt'],
    price: 0.28,
    priceUnit: 'unit',
  },

  /** `fal-ai/minimax/hailuo-2.3/standard/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  hailuo23FromImage: {
    id: 'hailuo-2.3-from-image',
    endpoint: 'fal-ai/minimax/hailuo-2.3/standard/image-to-video',
    outputKind: 'video',
    fields: { negative_prompt: false, resolution: false, seed: false, aspect_ratio: false, fps: false },
    limits: { prompt: { max: 2000 }, duration: [6, 10] },
    required: ['prompt', 'image'],
    price: 0.28,
    priceUnit: 'unit',
  },

  /** `fal-ai/seedvr/upscale/video` as of 2026-08-02. No price is known here. */
  seedvrVideoUpscale: {
    id: 'seedvr-video-upscale',
    endpoint: 'fal-ai/seedvr/upscale/video',
    outputKind: 'video',
    fields: {
      video: 'video_url',
      prompt: false,
      negative_prompt: false,
      resolution: false,
      aspect_ratio: false,
      fps: false,
      image: false,
      duration: false,
    },
    required: ['video'],
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
