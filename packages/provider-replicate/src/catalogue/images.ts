// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { ReplicateModel } from '../provider/replicate-options.ts'
import { byChoice } from './prices.ts'

/** Entries of the catalogue. */
export const images = {
  /** `google/nano-banana` as of 2026-08-20. No price is known here. */
  nanoBanana: {
    id: 'nano-banana',
    model: 'google/nano-banana',
    outputKind: 'image',
    fields: {
      image: 'image_input[]',
      negative_prompt: false,
      resolution: false,
      seed: false,
      num_outputs: false,
    },
    limits: {
      aspect_ratio: [
        'match_input_image',
        '1:1',
        '2:3',
        '3:2',
        '3:4',
        '4:3',
        '4:5',
        '5:4',
        '9:16',
        '16:9',
        '21:9',
      ],
    },
    required: ['prompt'],
  },

  /** `google/nano-banana-pro` as of 2026-08-20. Price of 2026-10-06. */
  nanoBananaPro: {
    id: 'nano-banana-pro',
    model: 'google/nano-banana-pro',
    outputKind: 'image',
    fields: { image: 'image_input[14]', negative_prompt: false, seed: false, num_outputs: false },
    limits: {
      aspect_ratio: [
        'match_input_image',
        '1:1',
        '2:3',
        '3:2',
        '3:4',
        '4:3',
        '4:5',
        '5:4',
        '9:16',
        '16:9',
        '21:9',
      ],
      resolution: ['1K', '2K', '4K'],
    },
    required: ['prompt'],
    price: byChoice('resolution', '2K', { '1K': 0.15, '2K': 0.15, '4K': 0.3 }),
    priceUnit: 'output',
  },

  /** `google/nano-banana-2` as of 2026-08-20. Price of 2026-10-06. */
  nanoBanana2: {
    id: 'nano-banana-2',
    model: 'google/nano-banana-2',
    outputKind: 'image',
    fields: { image: 'image_input[14]', negative_prompt: false, seed: false, num_outputs: false },
    limits: {
      aspect_ratio: [
        'match_input_image',
        '1:1',
        '1:4',
        '1:8',
        '2:3',
        '3:2',
        '3:4',
        '4:1',
        '4:3',
        '4:5',
        '5:4',
        '8:1',
        '9:16',
        '16:9',
        '21:9',
      ],
      resolution: ['1K', '2K', '4K'],
    },
    required: ['prompt'],
    price: byChoice('resolution', '1K', { '1K': 0.067, '2K': 0.101, '4K': 0.151 }),
    priceUnit: 'output',
  },

  /** `bytedance/seedream-4.5` as of 2026-08-20. No price is known here. */
  seedream45: {
    id: 'seedream-4.5',
    model: 'bytedance/seedream-4.5',
    outputKind: 'image',
    fields: {
      image: 'image_input[14]',
      resolution: 'size',
      negative_prompt: false,
      seed: false,
      num_outputs: false,
    },
    limits: {
      prompt: { max: 4000 },
      aspect_ratio: ['match_input_image', '1:1', '4:3', '3:4', '16:9', '9:16', '3:2', '2:3', '21:9'],
      resolution: ['2K', '4K'],
    },
    required: ['prompt'],
  },

  /** `bytedance/seedream-5-pro` as of 2026-08-20. No price is known here. */
  seedream5Pro: {
    id: 'seedream-5-pro',
    model: 'bytedance/seedream-5-pro',
    outputKind: 'image',
    fields: {
      image: 'image_input[10]',
      resolution: 'size',
      negative_prompt: false,
      seed: false,
      num_outputs: false,
    },
    limits: {
      prompt: { max: 4000 },
      aspect_ratio: ['match_input_image', '1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'],
      resolution: ['1K', '2K'],
    },
    required: ['prompt'],
  },

  /** `openai/gpt-image-2` as of 2026-08-20. Price of 2026-10-06. */
  gptImage2: {
    id: 'gpt-image-2',
    model: 'openai/gpt-image-2',
    outputKind: 'image',
    fields: {
      image: 'input_images[]',
      num_outputs: 'number_of_images',
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
    },
    required: ['prompt'],
    price: 0.128,
    priceUnit: 'output',
  },

  /** `ideogram-ai/ideogram-v3-turbo` as of 2026-08-20. No price is known here. */
  ideogram3Turbo: {
    id: 'ideogram-3-turbo',
    model: 'ideogram-ai/ideogram-v3-turbo',
    outputKind: 'image',
    fields: {
      reference_images: 'style_reference_images[]',
      mask: 'mask',
      negative_prompt: false,
      resolution: false,
      num_outputs: false,
    },
    limits: {
      aspect_ratio: [
        '1:3',
        '3:1',
        '1:2',
        '2:1',
        '9:16',
        '16:9',
        '10:16',
        '16:10',
        '2:3',
        '3:2',
        '3:4',
        '4:3',
        '4:5',
        '5:4',
        '1:1',
      ],
      seed: { max: 2147483647 },
    },
    required: ['prompt'],
  },

  /** `ideogram-ai/ideogram-v3-quality` as of 2026-08-20. No price is known here. */
  ideogram3Quality: {
    id: 'ideogram-3-quality',
    model: 'ideogram-ai/ideogram-v3-quality',
    outputKind: 'image',
    fields: {
      reference_images: 'style_reference_images[]',
      mask: 'mask',
      negative_prompt: false,
      resolution: false,
      num_outputs: false,
    },
    limits: {
      aspect_ratio: [
        '1:3',
        '3:1',
        '1:2',
        '2:1',
        '9:16',
        '16:9',
        '10:16',
        '16:10',
        '2:3',
        '3:2',
        '3:4',
        '4:3',
        '4:5',
        '5:4',
        '1:1',
      ],
      seed: { max: 2147483647 },
    },
    required: ['prompt'],
  },

  /** `recraft-ai/recraft-v4` as of 2026-08-20. No price is known here. */
  recraft4: {
    id: 'recraft-4',
    model: 'recraft-ai/recraft-v4',
    outputKind: 'image',
    fields: {
      negative_prompt: false,
      resolution: false,
      seed: false,
      image: false,
      aspect_ratio: false,
      num_outputs: false,
    },
    required: ['prompt'],
  },

  /** `topazlabs/image-upscale` as of 2026-08-20. No price is known here. */
  topazUpscale: {
    id: 'topaz-upscale',
    model: 'topazlabs/image-upscale',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      num_outputs: false,
    },
    required: ['image'],
  },

  /** `nightmareai/real-esrgan` as of 2024-12-19. No price is known here. */
  realEsrgan: {
    id: 'real-esrgan',
    model: 'nightmareai/real-esrgan:f121d640bd286e1fdc67f9799164c1d5be36ff74576ee11c803ae5b665dd46aa',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      num_outputs: false,
    },
    required: ['image'],
  },

  /** `851-labs/background-remover` as of 2024-12-19. No price is known here. */
  backgroundRemover: {
    id: 'background-remover',
    model: '851-labs/background-remover:a029dff38972b5fda4ec5d75d7d1cd25aeff621d2cf4946a41055d7db66b80bc',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      aspect_ratio: false,
      num_outputs: false,
    },
    required: ['image'],
  },
} satisfies Readonly<Record<string, ReplicateModel & { readonly id: string }>>
