import type { ComfyuiModel } from '@genmount/provider-comfyui'
import type { GoogleModel } from '@genmount/provider-google'
import type { OpenaiModel } from '@genmount/provider-openai'
import { textToImage } from './text-to-image.ts'

/*
 * Models of each vendor that people ask for, as of November 2026. Clients know them by the keys of these objects. Prices
 * are in US dollars, as the vendors or their customers published them; a model without a price costs money too, but its
 * jobs have no known cost. The models of fal and Replicate come from the catalogues of their packages.
 */
type Models<Model> = Readonly<Record<string, Model>>

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
