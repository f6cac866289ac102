// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'

/** Entries of the catalogue. */
export const nanoBanana = {
  /** `fal-ai/nano-banana` as of 2026-08-02. Price of 2026-07-28. */
  nanoBanana: {
    id: 'nano-banana',
    endpoint: 'fal-ai/nano-banana',
    outputKind: 'image',
    fields: { aspect_ratio: 'aspect_ratio', negative_prompt: false, resolution: false, image: false },
    limits: {
      prompt: { min: 3 },
      aspect_ratio: ['21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'],
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
    price: 0.0398,
    priceUnit: 'image',
  },

  /** `fal-ai/nano-banana/edit` as of 2026-08-02. Price of 2026-07-28. */
  nanoBananaEdit: {
    id: 'nano-banana-edit',
    endpoint: 'fal-ai/nano-banana/edit',
    outputKind: 'image',
    fields: {
      image: 'image_urls[]',
      aspect_ratio: 'aspect_ratio',
      negative_prompt: false,
      resolution: false,
    },
    limits: {
      prompt: { min: 3 },
      aspect_ratio: ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'],
      num_outputs: { max: 4 },
    },
    required: ['prompt', 'image'],
    price: 0.0398,
    priceUnit: 'image',
  },

  /** `fal-ai/nano-banana-pro` as of 2026-08-02. Price of 2026-07-28. */
  nanoBananaPro: {
    id: 'nano-banana-pro',
    endpoint: 'fal-ai/nano-banana-pro',
    outputKind: 'image',
    fields: { aspect_ratio: 'aspect_ratio', negative_prompt: false, image: false },
    limits: {
      prompt: { min: 3 },
      aspect_ratio: ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'],
      resolution: ['1K', '2K', '4K'],
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
    price: 0.15,
    priceUnit: 'image',
  },

  /** `fal-ai/nano-banana-pro/edit` as of 2026-08-02. Price of 2026-07-28. */
  nanoBananaProEdit: {
    id: 'nano-banana-pro-edit',
    endpoint: 'fal-ai/nano-banana-pro/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[]', aspect_ratio: 'aspect_ratio', negative_prompt: false },
    limits: {
      prompt: { min: 3 },
      aspect_ratio: ['auto', '21:9', '16:9', '3:2', '4:3', '5:4', '1:1', '4:5', '3:4', '2:3', '9:16'],
      resolution: ['1K', '2K', '4K'],
      num_outputs: { max: 4 },
    },
    required: ['prompt', 'image'],
    price: 0.15,
    priceUnit: 'image',
  },

  /** `fal-ai/nano-banana-2` as of 2026-08-02. Price of 2026-07-28. */
  nanoBanana2: {
    id: 'nano-banana-2',
    endpoint: 'fal-ai/nano-banana-2',
    outputKind: 'image',
    fields: { aspect_ratio: 'aspect_ratio', negative_prompt: false, image: false },
    limits: {
      prompt: { min: 3 },
      aspect_ratio: [
        'auto',
        '21:9',
        '16:9',
        '3:2',
        '4:3',
        '5:4',
        '1:1',
        '4:5',
        '3:4',
        '2:3',
        '9:16',
        '4:1',
        '1:4',
        '8:1',
        '1:8',
      ],
      resolution: ['0.5K', '1K', '2K', '4K'],
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
    price: 0.08,
    priceUnit: 'image',
  },

  /** `fal-ai/nano-banana-2/edit` as of 2026-08-02. Price of 2026-07-28. */
  nanoBanana2Edit: {
    id: 'nano-banana-2-edit',
    endpoint: 'fal-ai/nano-banana-2/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[]', aspect_ratio: 'aspect_ratio', negative_prompt: false },
    limits: {
      prompt: { min: 3 },
      aspect_ratio: [
        'auto',
        '21:9',
        '16:9',
        '3:2',
        '4:3',
        '5:4',
        '1:1',
        '4:5',
        '3:4',
        '2:3',
        '9:16',
        '4:1',
        '1:4',
        '8:1',
        '1:8',
      ],
      resolution: ['0.5K', '1K', '2K', '4K'],
      num_outputs: { max: 4 },
    },
    required: ['prompt', 'image'],
    price: 0.08,
    priceUnit: 'image',
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
