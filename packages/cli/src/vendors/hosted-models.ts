import type { ComfyuiModel } from '@genmount/provider-comfyui'
import type { OpenrouterModel } from '@genmount/provider-openai/openrouter'
import { textToImage } from './text-to-image.ts'

/*
 * Models of vendors whose packages have no catalogue. Clients name a model by its key in these objects.
 */
type Models<Model> = Readonly<Record<string, Model>>

/**
 * https://openrouter.ai/collections/video-models ranks the models (read on 2026-11-27). OpenRouter says what each job has cost, so
 * these models have a cost without a price.
 */
export const openrouterModels: Models<OpenrouterModel> = {
  'gemini-omni-1.2-flash': { model: 'google/gemini-omni-1.2-flash' },
  'wan-3.0': { model: 'alibaba/wan-3.0' },
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
