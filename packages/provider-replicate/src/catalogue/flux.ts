// Written by test/catalogue/generate.ts. Change what it reads instead: see there.
import type { ReplicateModel } from '../provider/replicate-options.ts'

/** Entries of the catalogue. */
export const flux = {
  /** `black-forest-labs/flux-schnell` as of 2026-08-20. Price of 2026-11-22. */
  fluxSchnell: {
    id: 'flux-schnell',
    model: 'black-forest-labs/flux-schnell',
    outputKind: 'image',
    fields: { negative_prompt: false, resolution: false, image: false },
    limits: {
      aspect_ratio: ['1:1', '16:9', '21:9', '3:2', '2:3', '4:5', '5:4', '3:4', '4:3', '9:16', '9:21'],
      num_outputs: { max: 4 },
    },
    required: ['prompt'],
    price: 0.003,
    priceUnit: 'output',
  },

  /** `black-forest-labs/flux-2-dev` as of 2026-08-20. No price is known here. */
  flux2Dev: {
    id: 'flux-2-dev',
    model: 'black-forest-labs/flux-2-dev',
    outputKind: 'image',
    fields: { image: 'input_images[4]', negative_prompt: false, resolution: false, num_outputs: false },
    limits: {
      aspect_ratio: ['match_input_image', '1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'],
    },
    required: ['prompt'],
  },

  /** `black-forest-labs/flux-2-flex` as of 2026-08-20. No price is known here. */
  flux2Flex: {
    id: 'flux-2-flex',
    model: 'black-forest-labs/flux-2-flex',
    outputKind: 'image',
    fields: { image: 'input_images[10]', guidance: 'guidance', negative_prompt: false, num_outputs: false },
    limits: {
      aspect_ratio: ['match_input_image', '1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'],
      resolution: ['match_input_image', '0.5 MP', '1 MP', '2 MP', '4 MP'],
      guidance: { min: 1.5, max: 10 },
    },
    required: ['prompt'],
  },

  /** `black-forest-labs/flux-2-pro` as of 2026-08-20. No price is known here. */
  flux2Pro: {
    id: 'flux-2-pro',
    model: 'black-forest-labs/flux-2-pro',
    outputKind: 'image',
    fields: { image: 'input_images[8]', negative_prompt: false, num_outputs: false },
    limits: {
      aspect_ratio: ['match_input_image', '1:1', '16:9', '3:2', '2:3', '4:5', '5:4', '9:16', '3:4', '4:3'],
      resolution: ['match_input_image', '0.5 MP', '1 MP', '2 MP', '4 MP'],
    },
    required: ['prompt'],
  },
} satisfies Readonly<Record<string, ReplicateModel & { readonly id: string }>>
