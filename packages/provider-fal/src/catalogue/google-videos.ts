// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'
import { inSeconds } from './durations.ts'

/** Entries of the catalogue. */
export const googleVideos = {
  /** `fal-ai/veo3.1` as of 2026-08-02. Price of 2026-07-28. */
  veo31: {
    id: 'veo-3.1',
    endpoint: 'fal-ai/veo3.1',
    outputKind: 'video',
    fields: { sound: 'generate_audio', duration: inSeconds, fps: false, image: false },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['16:9', '9:16'],
      resolution: ['720p', '1080p', '4k'],
      duration: [4, 6, 8],
    },
    required: ['prompt'],
    price: 0.4,
    priceUnit: 'second',
    typicalMs: 90000,
  },

  /** `fal-ai/veo3.1/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  veo31FromImage: {
    id: 'veo-3.1-from-image',
    endpoint: 'fal-ai/veo3.1/image-to-video',
    outputKind: 'video',
    fields: { sound: 'generate_audio', duration: inSeconds, fps: false },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['auto', '16:9', '9:16'],
      resolution: ['720p', '1080p', '4k'],
      duration: [4, 6, 8],
    },
    required: ['prompt', 'image'],
    price: 0.4,
    priceUnit: 'second',
    typicalMs: 90000,
  },

  /** `fal-ai/veo3.1/first-last-frame-to-video` as of 2026-08-02. Price of 2026-07-28. */
  veo31FromFrames: {
    id: 'veo-3.1-from-frames',
    endpoint: 'fal-ai/veo3.1/first-last-frame-to-video',
    outputKind: 'video',
    fields: {
      image: 'first_frame_url',
      last_frame: 'last_frame_url',
      sound: 'generate_audio',
      duration: inSeconds,
      fps: false,
    },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['auto', '16:9', '9:16'],
      resolution: ['720p', '1080p', '4k'],
      duration: [4, 6, 8],
    },
    required: ['prompt', 'image', 'last_frame'],
    price: 0.4,
    priceUnit: 'second',
    typicalMs: 90000,
  },

  /** `fal-ai/veo3.1/reference-to-video` as of 2026-08-02. Price of 2026-07-28. */
  veo31FromReferences: {
    id: 'veo-3.1-from-references',
    endpoint: 'fal-ai/veo3.1/reference-to-video',
    outputKind: 'video',
    fields: {
      reference_images: 'image_urls[]',
      sound: 'generate_audio',
      duration: inSeconds,
      negative_prompt: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['16:9', '9:16'],
      resolution: ['720p', '1080p', '4k'],
      duration: [8],
    },
    required: ['prompt', 'reference_images'],
    price: 0.4,
    priceUnit: 'second',
    typicalMs: 90000,
  },

  /** `fal-ai/veo3.1/fast` as of 2026-08-02. Price of 2026-07-28. */
  veo31Fast: {
    id: 'veo-3.1-fast',
    endpoint: 'fal-ai/veo3.1/fast',
    outputKind: 'video',
    fields: { sound: 'generate_audio', duration: inSeconds, fps: false, image: false },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['16:9', '9:16'],
      resolution: ['720p', '1080p', '4k'],
      duration: [4, 6, 8],
    },
    required: ['prompt'],
    price: 0.15,
    priceUnit: 'second',
  },

  /** `fal-ai/veo3.1/fast/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  veo31FastFromImage: {
    id: 'veo-3.1-fast-from-image',
    endpoint: 'fal-ai/veo3.1/fast/image-to-video',
    outputKind: 'video',
    fields: { sound: 'generate_audio', duration: inSeconds, fps: false },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['auto', '16:9', '9:16'],
      resolution: ['720p', '1080p', '4k'],
      duration: [4, 6, 8],
    },
    required: ['prompt', 'image'],
    price: 0.15,
    priceUnit: 'second',
  },

  /** `fal-ai/veo3.1/lite` as of 2026-08-02. Price of 2026-07-28. */
  veo31Lite: {
    id: 'veo-3.1-lite',
    endpoint: 'fal-ai/veo3.1/lite',
    outputKind: 'video',
    fields: { sound: 'generate_audio', duration: inSeconds, fps: false, image: false },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['16:9', '9:16'],
      resolution: ['720p', '1080p'],
      duration: [4, 6, 8],
    },
    required: ['prompt'],
    price: 0.05,
    priceUnit: 'second',
  },

  /** `fal-ai/veo3.1/lite/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  veo31LiteFromImage: {
    id: 'veo-3.1-lite-from-image',
    endpoint: 'fal-ai/veo3.1/lite/image-to-video',
    outputKind: 'video',
    fields: { sound: 'generate_audio', duration: inSeconds, fps: false },
    limits: {
      prompt: { max: 20000 },
      aspect_ratio: ['auto', '16:9', '9:16'],
      resolution: ['720p', '1080p'],
      duration: [4, 6, 8],
    },
    required: ['prompt', 'image'],
    price: 0.05,
    priceUnit: 'second',
  },

  /** `google/gemini-omni-flash` as of 2026-08-02. Price of 2026-07-28. */
  geminiOmniFlash: {
    id: 'gemini-omni-flash',
    endpoint: 'google/gemini-omni-flash',
    outputKind: 'video',
    fields: {
      duration: 'duration',
      negative_prompt: false,
      resolution: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: { aspect_ratio: ['16:9', '9:16'] },
    required: ['prompt'],
    price: 1,
    priceUnit: 'unit',
  },

  /** `google/gemini-omni-flash/image-to-video` as of 2026-08-02. Price of 2026-07-28. */
  geminiOmniFlashFromImage: {
    id: 'gemini-omni-flash-from-image',
    endpoint: 'google/gemini-omni-flash/image-to-video',
    outputKind: 'video',
    fields: { duration: 'duration', negative_prompt: false, resolution: false, seed: false, fps: false },
    limits: { aspect_ratio: ['16:9', '9:16'] },
    required: ['prompt', 'image'],
    price: 1,
    priceUnit: 'unit',
  },

  /** `google/gemini-omni-flash/reference-to-video` as of 2026-08-02. Price of 2026-07-28. */
  geminiOmniFlashFromReferences: {
    id: 'gemini-omni-flash-from-references',
    endpoint: 'google/gemini-omni-flash/reference-to-video',
    outputKind: 'video',
    fields: {
      reference_images: 'image_urls[]',
      duration: 'duration',
      negative_prompt: false,
      resolution: false,
      seed: false,
      fps: false,
      image: false,
    },
    limits: { aspect_ratio: ['16:9', '9:16'] },
    required: ['prompt', 'reference_images'],
    price: 1,
    priceUnit: 'unit',
  },

  /** `google/gemini-omni-flash/edit` as of 2026-08-02. No price is known here. */
  geminiOmniFlashEdit: {
    id: 'gemini-omni-flash-edit',
    endpoint: 'google/gemini-omni-flash/edit',
    outputKind: 'video',
    fields: {
      video: 'video_url',
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      fps: false,
      image: false,
      duration: false,
    },
    required: ['prompt', 'video'],
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
