import type { ComfyuiModel } from '@genmount/provider-comfyui'
import type { FalModel } from '@genmount/provider-fal'
import type { GoogleModel } from '@genmount/provider-google'
import type { OpenaiModel } from '@genmount/provider-openai'
import type { ReplicateModel } from '@genmount/provider-replicate'
import { textToImage } from './text-to-image.ts'

/*
 * Models of each vendor that people ask for, as of November 2026. Clients know them by the keys of these objects. Prices
 * are in US dollars, as the vendors or their customers published them; a model without a price costs money too, but its
 * jobs have no known cost. Models that are under two vendors take the same input.
 */
type Models<Model> = Readonly<Record<string, Model>>

/** https://fal.ai/models/{endpoint}/llms.txt names the fields and the price of each endpoint. */
export const falModels: Models<FalModel> = {
  // The billable unit of the two FLUX endpoints is a megapixel.
  'flux-schnell': { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003 },
  'flux-2-flash': { endpoint: 'fal-ai/flux-2/flash', outputKind: 'image', price: 0.005 },
  'veo-3.1': {
    endpoint: 'fal-ai/veo3.1',
    outputKind: 'video',
    // The endpoint takes 4s, 6s and 8s.
    fields: { duration: (seconds) => ({ duration: `${seconds}s` }) },
    // Per second of film with sound, which the endpoint makes unless it is told not to; 0 units are for a failure.
    price: ({ input, units }) =>
      units === 0 ? 0 : Number(input['duration'] ?? 8) * (input['resolution'] === '4k' ? 0.6 : 0.4),
    typicalMs: 90_000,
  },
}

/** https://replicate.com/{model}/api names the fields of each model. */
export const replicateModels: Models<ReplicateModel> = {
  'flux-schnell': {
    model: 'black-forest-labs/flux-schnell',
    outputKind: 'image',
    price: 0.003,
    priceUnit: 'output',
  },
  'nano-banana-2': {
    model: 'google/nano-banana-2',
    outputKind: 'image',
    fields: { image: 'image_input[]' },
  },
  'veo-3.1-fast': { model: 'google/veo-3.1-fast', outputKind: 'video', typicalMs: 60_000 },
}

/** https://platform.openai.com/docs/pricing: per million tokens. */
export const openaiModels: Models<OpenaiModel> = {
  'gpt-image-2': { price: { textInput: 5, imageInput: 8, imageOutput: 30 } },
}

/** https://ai.google.dev/gemini-api/docs/pricing: per million tokens, and per picture. */
export const geminiModels: Models<GoogleModel> = {
  'gemini-3.1-flash-image': { price: { input: 0.5, textOutput: 3, imageOutput: 60 } },
  // Without the tokens of the prompt, which cost less than a cent.
  'gemini-3-pro-image': {
    price: ({ input, units }) => units * (input['resolution'] === '4K' ? 0.24 : 0.134),
  },
}

/** @param checkpoint the file name of a checkpoint that ComfyUI has */
export function comfyuiModels(checkpoint: string): Models<ComfyuiModel> {
  const side = { type: 'integer', min: 256, max: 2048 } as const
  return {
    'comfyui-text-to-image': {
      workflow: textToImage(checkpoint),
      outputKind: 'image',
      inputs: {
        prompt: { node: '6', field: 'text' },
        negative_prompt: { node: '7', field: 'text' },
        seed: { node: '3', field: 'seed' },
        width: { node: '5', field: 'width', ...side },
        height: { node: '5', field: 'height', ...side },
        num_outputs: { node: '5', field: 'batch_size', max: 4 },
      },
      price: 0,
    },
  }
}
