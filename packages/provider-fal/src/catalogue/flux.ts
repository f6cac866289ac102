// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { FalModel } from '../provider/fal-options.ts'

/** Entries of the catalogue. */
export const flux = {
  /** `fal-ai/flux/schnell` as of 2026-08-02. Price of 2026-07-28. */
  fluxSchnell: {
    id: 'flux-schnell',
    endpoint: 'fal-ai/flux/schnell',
    outputKind: 'image',
    fields: { guidance: 'guidance_scale', negative_prompt: false, resolution: false, image: false },
    limits: {
      aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'],
      guidance: { min: 1, max: 20 },
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
    price: 0.003,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/flux-2` as of 2026-08-02. No price is known here. */
  flux2: {
    id: 'flux-2',
    endpoint: 'fal-ai/flux-2',
    outputKind: 'image',
    fields: { guidance: 'guidance_scale', negative_prompt: false, resolution: false, image: false },
    limits: {
      aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'],
      guidance: { max: 20 },
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
  },

  /** `fal-ai/flux-2/edit` as of 2026-08-02. No price is known here. */
  flux2Edit: {
    id: 'flux-2-edit',
    endpoint: 'fal-ai/flux-2/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[4]', guidance: 'guidance_scale', negative_prompt: false, resolution: false },
    limits: {
      aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'],
      guidance: { max: 20 },
      num_outputs: { max: 4 },
    },
    required: ['prompt', 'image'],
  },

  /** `fal-ai/flux-2/flash` as of 2026-08-02. No price is known here. */
  flux2Flash: {
    id: 'flux-2-flash',
    endpoint: 'fal-ai/flux-2/flash',
    outputKind: 'image',
    fields: { guidance: 'guidance_scale', negative_prompt: false, resolution: false, image: false },
    limits: {
      aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'],
      guidance: { max: 20 },
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
  },

  /** `fal-ai/flux-2/klein/4b` as of 2026-08-02. Price of 2026-07-28. */
  flux2Klein4b: {
    id: 'flux-2-klein-4b',
    endpoint: 'fal-ai/flux-2/klein/4b',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 4 } },
    required: ['prompt'],
    price: 0.009,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/flux-2/klein/4b/edit` as of 2026-08-02. Price of 2026-07-28. */
  flux2Klein4bEdit: {
    id: 'flux-2-klein-4b-edit',
    endpoint: 'fal-ai/flux-2/klein/4b/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[]', negative_prompt: false, resolution: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 4 } },
    required: ['prompt', 'image'],
    price: 0.009,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/flux-2/klein/9b` as of 2026-08-02. Price of 2026-07-28. */
  flux2Klein9b: {
    id: 'flux-2-klein-9b',
    endpoint: 'fal-ai/flux-2/klein/9b',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 4 } },
    required: ['prompt'],
    price: 0.011,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/flux-2/klein/9b/edit` as of 2026-08-02. Price of 2026-07-28. */
  flux2Klein9bEdit: {
    id: 'flux-2-klein-9b-edit',
    endpoint: 'fal-ai/flux-2/klein/9b/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[]', negative_prompt: false, resolution: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], num_outputs: { max: 4 } },
    required: ['prompt', 'image'],
    price: 0.011,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/flux-2-flex` as of 2026-08-02. Price of 2026-07-28. */
  flux2Flex: {
    id: 'flux-2-flex',
    endpoint: 'fal-ai/flux-2-flex',
    outputKind: 'image',
    fields: {
      guidance: 'guidance_scale',
      negative_prompt: false,
      resolution: false,
      image: false,
      num_outputs: false,
    },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'], guidance: { min: 1.5, max: 10 } },
    required: ['prompt'],
    price: 0.05,
    priceUnit: 'processed megapixel',
  },

  /** `fal-ai/flux-2-flex/edit` as of 2026-08-02. Price of 2026-07-28. */
  flux2FlexEdit: {
    id: 'flux-2-flex-edit',
    endpoint: 'fal-ai/flux-2-flex/edit',
    outputKind: 'image',
    fields: {
      image: 'image_urls[]',
      guidance: 'guidance_scale',
      negative_prompt: false,
      resolution: false,
      num_outputs: false,
    },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16', 'auto'], guidance: { min: 1.5, max: 10 } },
    required: ['prompt', 'image'],
    price: 0.05,
    priceUnit: 'processed megapixel',
  },

  /** `fal-ai/flux-2-pro` as of 2026-08-02. Price of 2026-07-28. */
  flux2Pro: {
    id: 'flux-2-pro',
    endpoint: 'fal-ai/flux-2-pro',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false, num_outputs: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt'],
    price: 0.03,
    priceUnit: 'processed megapixel',
  },

  /** `fal-ai/flux-2-pro/edit` as of 2026-08-02. Price of 2026-07-28. */
  flux2ProEdit: {
    id: 'flux-2-pro-edit',
    endpoint: 'fal-ai/flux-2-pro/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[]', negative_prompt: false, resolution: false, num_outputs: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16', 'auto'] },
    required: ['prompt', 'image'],
    price: 0.03,
    priceUnit: 'processed megapixel',
  },

  /** `fal-ai/flux-2-max` as of 2026-08-02. Price of 2026-07-28. */
  flux2Max: {
    id: 'flux-2-max',
    endpoint: 'fal-ai/flux-2-max',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false, num_outputs: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16'] },
    required: ['prompt'],
    price: 0.07,
    priceUnit: 'megapixel',
  },

  /** `fal-ai/flux-2-max/edit` as of 2026-08-02. Price of 2026-07-28. */
  flux2MaxEdit: {
    id: 'flux-2-max-edit',
    endpoint: 'fal-ai/flux-2-max/edit',
    outputKind: 'image',
    fields: { image: 'image_urls[]', negative_prompt: false, resolution: false, num_outputs: false },
    limits: { aspect_ratio: ['1:1', '4:3', '3:4', '16:9', '9:16', 'auto'] },
    required: ['prompt', 'image'],
    price: 0.07,
    priceUnit: 'processed megapixel',
  },
} satisfies Readonly<Record<string, FalModel & { readonly id: string }>>
