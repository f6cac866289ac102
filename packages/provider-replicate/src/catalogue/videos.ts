// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { ReplicateModel } from '../provider/replicate-options.ts'
import { byChoice } from './prices.ts'
import { bySecond } from './prices.ts'

/** Entries of the catalogue. */
export const videos = {
  /** `google/veo-3.1` as of 2026-08-20. Price of 2026-10-06. */
  veo31: {
    id: 'veo-3.1',
    model: 'google/veo-3.1',
    outputKind: 'video',
    fields: {
      last_frame: 'last_frame',
      reference_images: 'reference_images[3]',
      sound: 'generate_audio',
      fps: false,
    },
    limits: { aspect_ratio: ['16:9', '9:16'], resolution: ['720p', '1080p'], duration: [4, 6, 8] },
    required: ['prompt'],
    price: bySecond(8, 'sound', true, { true: 0.4, false: 0.2 }),
    priceUnit: 'output',
  },

  /** `google/veo-3.1-fast` as of 2026-08-20. Price of 2026-10-06. */
  veo31Fast: {
    id: 'veo-3.1-fast',
    model: 'google/veo-3.1-fast',
    outputKind: 'video',
    fields: { last_frame: 'last_frame', sound: 'generate_audio', fps: false },
    limits: { aspect_ratio: ['16:9', '9:16'], resolution: ['720p', '1080p'], duration: [4, 6, 8] },
    required: ['prompt'],
    price: bySecond(8, 'sound', true, { true: 0.15, false: 0.1 }),
    priceUnit: 'output',
    typicalMs: 60000,
  },

  /** `bytedance/seedance-2.5` as of 2026-08-20. No price is known here. */
  seedance25: {
    id: 'seedance-2.5',
    model: 'bytedance/seedance-2.5',
    outputKind: 'video',
    fields: {
      last_frame: 'last_frame_image',
      reference_images: 'reference_images[]',
      reference_videos: 'reference_videos[]',
      audio: 'reference_audios[]',
      sound: 'generate_audio',
      negative_prompt: false,
      fps: false,
    },
    limits: {
      prompt: { max: 2000 },
      aspect_ratio: ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9', 'adaptive'],
      resolution: ['480p', '720p'],
      duration: [
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30,
      ],
    },
  },

  /** `bytedance/seedance-2.0` as of 2026-08-20. No price is known here. */
  seedance2: {
    id: 'seedance-2',
    model: 'bytedance/seedance-2.0',
    outputKind: 'video',
    fields: {
      last_frame: 'last_frame_image',
      reference_images: 'reference_images[9]',
      reference_videos: 'reference_videos[3]',
      audio: 'reference_audios[3]',
      sound: 'generate_audio',
      negative_prompt: false,
      resolution: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: { prompt: { max: 4000 }, duration: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
    required: ['prompt'],
  },

  /** `kwaivgi/kling-v3-video` as of 2026-08-20. Price of 2026-10-06. */
  kling3: {
    id: 'kling-3',
    model: 'kwaivgi/kling-v3-video',
    outputKind: 'video',
    fields: {
      image: 'start_image',
      last_frame: 'end_image',
      sound: 'generate_audio',
      resolution: false,
      seed: false,
      fps: false,
    },
    limits: {
      aspect_ratio: ['16:9', '9:16', '1:1'],
      duration: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    },
    required: ['prompt'],
    price: bySecond(5, 'sound', false, { true: 0.336, false: 0.224 }),
    priceUnit: 'output',
  },

  /** `kwaivgi/kling-v2.6` as of 2026-08-20. Price of 2026-10-06. */
  kling26: {
    id: 'kling-2.6',
    model: 'kwaivgi/kling-v2.6',
    outputKind: 'video',
    fields: { image: 'start_image', sound: 'generate_audio', resolution: false, seed: false, fps: false },
    limits: { aspect_ratio: ['16:9', '9:16', '1:1'], duration: [5, 10] },
    required: ['prompt'],
    price: bySecond(5, 'sound', true, { true: 0.14, false: 0.07 }),
    priceUnit: 'output',
  },

  /** `kwaivgi/kling-v2.5-turbo-pro` as of 2026-08-20. Price of 2026-10-06. */
  kling25TurboPro: {
    id: 'kling-2.5-turbo-pro',
    model: 'kwaivgi/kling-v2.5-turbo-pro',
    outputKind: 'video',
    fields: { image: 'start_image', last_frame: 'end_image', resolution: false, seed: false, fps: false },
    limits: { aspect_ratio: ['16:9', '9:16', '1:1'], duration: [5, 10] },
    required: ['prompt'],
    price: bySecond(5, 'sound', true, { true: 0.07 }),
    priceUnit: 'output',
  },

  /** `minimax/hailuo-2.3` as of 2026-08-20. No price is known here. */
  hailuo23: {
    id: 'hailuo-2.3',
    model: 'minimax/hailuo-2.3',
    outputKind: 'video',
    fields: {
      image: 'first_frame_image',
      negative_prompt: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: { resolution: ['768p', '1080p'], duration: [6, 10] },
    required: ['prompt'],
  },

  /** `minimax/hailuo-2.3-fast` as of 2026-08-20. No price is known here. */
  hailuo23Fast: {
    id: 'hailuo-2.3-fast',
    model: 'minimax/hailuo-2.3-fast',
    outputKind: 'video',
    fields: {
      image: 'first_frame_image',
      negative_prompt: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
    },
    limits: { resolution: ['768p', '1080p'], duration: [6, 10] },
    required: ['prompt', 'image'],
  },

  /** `wan-video/wan-2.7-t2v` as of 2026-08-20. No price is known here. */
  wan27: {
    id: 'wan-2.7',
    model: 'wan-video/wan-2.7-t2v',
    outputKind: 'video',
    fields: { audio: 'audio', resolution: false, image: false, aspect_ratio: false, fps: false },
    limits: { duration: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] },
    required: ['prompt'],
  },

  /** `wan-video/wan-2.2-i2v-fast` as of 2026-08-20. Price of 2026-10-06. */
  wan22Fast: {
    id: 'wan-2.2-fast',
    model: 'wan-video/wan-2.2-i2v-fast',
    outputKind: 'video',
    fields: {
      last_frame: 'last_image',
      fps: 'frames_per_second',
      negative_prompt: false,
      aspect_ratio: false,
      duration: false,
    },
    limits: { resolution: ['480p', '720p'], fps: { min: 5, max: 30 } },
    required: ['prompt', 'image'],
    price: byChoice('resolution', '480p', { '480p': 0.05, '720p': 0.11 }),
    priceUnit: 'output',
  },
} satisfies Readonly<Record<string, ReplicateModel & { readonly id: string }>>
