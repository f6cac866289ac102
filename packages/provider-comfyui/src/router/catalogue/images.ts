import type { ComfyRouterModel } from '../router-options.ts'
import { gptImage, seedreamImage } from './shared-schemas.ts'

// The `schema` of each entry is the input of `router-schemas/{model}.json` in Comfy-Org/docs, which is what the Router serves as
// the model's `openapi.json`, without its prose. Each comment has the commit that was read, on 2026-11-27.

/** Entries of the catalogue: models for images. */
export const images = {
  /** `bfl/flux-3-image` at c6e262c. Shapes and sizes are in its prose. */
  flux3Image: {
    id: 'flux-3-image',
    model: 'bfl/flux-3-image',
    outputKind: 'image',
    schema: {
      type: 'object',
      required: ['prompt'],
      additionalProperties: false,
      properties: {
        aspect_ratio: { type: 'string' },
        grounding: { type: 'boolean' },
        images: {
          anyOf: [
            { type: 'string' },
            { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 10 },
          ],
        },
        prompt: { type: 'string' },
        resolution: { type: 'string' },
        safety_tolerance: { type: 'integer', minimum: 0, maximum: 4 },
        version: { type: 'string' },
      },
    },
    limits: {
      aspect_ratio: 'auto 21:9 2:1 16:9 3:2 7:5 4:3 5:4 1:1 4:5 3:4 5:7 2:3 9:16 1:2 9:21'.split(' '),
      resolution: ['768sq', '1k', '1.5k', '2k', '4k'],
    },
  },

  /** `bfl/flux-2-pro` at 0126e16. */
  flux2Pro: {
    id: 'flux-2-pro',
    model: 'bfl/flux-2-pro',
    outputKind: 'image',
    schema: {
      type: 'object',
      required: ['prompt'],
      properties: {
        prompt: { type: 'string' },
        input_image: { type: 'string' },
        ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9].map((n) => [`input_image_${n}`, { type: 'string' }])),
        width: { type: 'integer', minimum: 256, maximum: 2048 },
        height: { type: 'integer', minimum: 256, maximum: 2048 },
        seed: { type: 'integer' },
        output_format: { type: 'string', enum: ['jpeg', 'png'] },
        prompt_upsampling: { type: 'boolean' },
        safety_tolerance: { type: 'integer', minimum: 0, maximum: 5 },
      },
    },
  },

  /** `vertexai/gemini-nano-banana-2.1` at 064e796. */
  nanoBanana21: {
    id: 'nano-banana-2.1',
    model: 'vertexai/gemini-nano-banana-2.1',
    outputKind: 'image',
    schema: {
      type: 'object',
      required: ['contents'],
      properties: {
        contents: {
          type: 'array',
          items: {
            type: 'object',
            required: ['parts'],
            properties: {
              parts: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    text: { type: 'string' },
                    inlineData: {
                      type: 'object',
                      properties: { data: { type: 'string' }, mimeType: { type: 'string' } },
                    },
                  },
                },
              },
              role: { type: 'string', enum: ['user', 'model'] },
            },
          },
        },
        generationConfig: {
          type: 'object',
          properties: {
            imageConfig: {
              type: 'object',
              properties: { aspectRatio: { type: 'string' }, imageSize: { type: 'string' } },
            },
            seed: { type: 'integer' },
            responseModalities: { type: 'array', items: { type: 'string', enum: ['TEXT', 'IMAGE'] } },
          },
        },
        uploadImagesToStorage: { type: 'boolean' },
      },
    },
    limits: { resolution: ['1K', '2K', '4K'] },
  },

  /** `openai/gpt-image-2.5-flare` at 0d5b7cb. */
  gptImage25Flare: { id: 'gpt-image-2.5-flare', model: 'openai/gpt-image-2.5-flare', ...gptImage },

  /** `ideogram/ideogram-4-5` at 09960e2. It takes either `image` or `images`. */
  ideogram45: {
    id: 'ideogram-4.5',
    model: 'ideogram/ideogram-4-5',
    outputKind: 'image',
    schema: {
      type: 'object',
      required: ['prompt'],
      properties: {
        prompt: { type: 'string', minLength: 1, maxLength: 10_000 },
        image: { type: 'string' },
        images: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5 },
        reference_images: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4 },
        mask: { type: 'string' },
        num_images: { type: 'integer', minimum: 1, maximum: 8 },
        quality: { type: 'string', enum: ['very_low', 'low', 'medium', 'high'] },
        seed: { type: 'integer', minimum: 0, maximum: 2147483647 },
        size: { type: 'string' },
        magic_prompt: { type: 'string' },
        enable_copyright_detection: { type: 'boolean' },
      },
    },
  },

  /** `byteplus/seedream-5-0-pro-260628` at 07211bc. */
  seedream5Pro: { id: 'seedream-5-pro', model: 'byteplus/seedream-5-0-pro-260628', ...seedreamImage },
} satisfies Readonly<Record<string, ComfyRouterModel & { readonly id: string; readonly model: string }>>
