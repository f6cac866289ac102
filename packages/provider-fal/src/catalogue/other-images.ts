// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'

/** Entries of the catalogue. */
export const otherImages = {
  /** `openai/gpt-image-2` as of 2026-08-02. Price of 2026-07-28. */
  gptImage2: {
    id: 'gpt-image-2',
    endpoint: 'openai/gpt-image-2',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, seed: false, image: false },
    limits: {
      prompt: { min: 2 },
      aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16', 'auto'],
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
    price: 1,
    priceUnit: 'unit',
  },

  /** `openai/gpt-image-2/edit` as of 2026-08-02. Price of 2026-07-28. */
  gptImage2Edit: {
    id: 'gpt-image-2-edit',
    endpoint: 'openai/gpt-image-2/edit',
    outputKind: 'image',
    fields: {
      image: 'image_urls[16]',
      mask: 'mask_url',
      negative_prompt: false,
      resolution: false,
      seed: false,
    },
    limits: {
      prompt: { min: 2 },
      aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16', 'auto'],
      num_outputs: { max: 4 },
    },
    required: ['prompt', 'image'],
    price: 1,
    priceUnit: 'unit',
  },

  /** `fal-ai/recraft/v4.1/text-to-image` as of 2026-08-02. Price of 2026-07-28. */
  recraft41: {
    id: 'recraft-4.1',
    endpoint: 'fal-ai/recraft/v4.1/text-to-image',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, seed: false, image: false, num_outputs: false },
    limits: { prompt: { max: 10000 }, aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt'],
    price: 0.035,
    priceUnit: 'image',
  },

  /** `fal-ai/recraft/v4.1/pro/text-to-image` as of 2026-08-02. Price of 2026-07-28. */
  recraft41Pro: {
    id: 'recraft-4.1-pro',
    endpoint: 'fal-ai/recraft/v4.1/pro/text-to-image',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, seed: false, image: false, num_outputs: false },
    limits: { prompt: { max: 10000 }, aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt'],
    price: 0.21,
    priceUnit: 'image',
  },

  /** `fal-ai/ideogram/v3` as of 2026-08-02. Price of 2026-07-28. */
  ideogram3: {
    id: 'ideogram-3',
    endpoint: 'fal-ai/ideogram/v3',
    outputKind: 'image',
    fields: { resolution: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 8 } },
    required: ['prompt'],
    price: 0.03,
    priceUnit: 'image',
  },

  /** `ideogram/v4` as of 2026-08-02. Price of 2026-07-28. */
  ideogram4: {
    id: 'ideogram-4',
    endpoint: 'ideogram/v4',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 4 } },
    required: ['prompt'],
    price: 0.01,
    priceUnit: 'unit',
  },

  /** `fal-ai/topaz/upscale/image` as of 2026-08-02. Price of 2026-07-28. */
  topazUpscale: {
    id: 'topaz-upscale',
    endpoint: 'fal-ai/topaz/upscale/image',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      num_outputs: false,
      aspect_ratio: false,
    },
    required: ['image'],
    price: 0.01,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/seedvr/upscale/image` as of 2026-08-02. Price of 2026-07-28. */
  seedvrUpscale: {
    id: 'seedvr-upscale',
    endpoint: 'fal-ai/seedvr/upscale/image',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      num_outputs: false,
      aspect_ratio: false,
    },
    required: ['image'],
    price: 0.001,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/recraft/upscale/crisp` as of 2026-08-02. Price of 2026-07-28. */
  recraftCrispUpscale: {
    id: 'recraft-crisp-upscale',
    endpoint: 'fal-ai/recraft/upscale/crisp',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      num_outputs: false,
      aspect_ratio: false,
    },
    required: ['image'],
    price: 0.004,
    priceUnit: 'image',
  },

  /** `fal-ai/bria/background/remove` as of 2026-08-02. Price of 2026-07-28. */
  briaBackgroundRemoval: {
    id: 'bria-background-removal',
    endpoint: 'fal-ai/bria/background/remove',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      num_outputs: false,
      aspect_ratio: false,
    },
    required: ['image'],
    price: 0.018,
    priceUnit: 'generation',
  },

  /** `fal-ai/ideogram/remove-background` as of 2026-08-02. Price of 2026-07-28. */
  ideogramBackgroundRemoval: {
    id: 'ideogram-background-removal',
    endpoint: 'fal-ai/ideogram/remove-background',
    outputKind: 'image',
    fields: {
      prompt: false,
      negative_prompt: false,
      resolution: false,
      seed: false,
      num_outputs: false,
      aspect_ratio: false,
    },
    required: ['image'],
    price: 0.01,
    priceUnit: 'image',
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
