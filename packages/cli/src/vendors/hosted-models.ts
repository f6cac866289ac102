import type { BflModel } from '@genmount/provider-bfl'
import type { ArkModel } from '@genmount/provider-ark'
import type { ComfyuiModel } from '@genmount/provider-comfyui'
import type { GeminiOmniModel } from '@genmount/provider-google/omni'
import type { GoogleModel } from '@genmount/provider-google'
import type { OpenaiModel } from '@genmount/provider-openai'
import type { OpenrouterModel } from '@genmount/provider-openai/openrouter'
import type { RunpodModel } from '@genmount/provider-runpod'
import type { RunwayModel } from '@genmount/provider-runway'
import type { XaiModel } from '@genmount/provider-xai'
import { textToImage } from './text-to-image.ts'

/*
 * Popular models of each vendor, as of November 2026. Clients name a model by its key in these objects. Prices are in
 * US dollars, as the vendors or their customers published them. A model without a price costs money too, but its jobs
 * have no known cost. The models of fal and Replicate come from the catalogues of their packages.
 */
type Models<Model> = Readonly<Record<string, Model>>

/** https://platform.openai.com/docs/pricing: per million tokens. */
export const openaiModels: Models<OpenaiModel> = {
  'gpt-image-2': { price: { textInput: 5, imageInput: 8, imageOutput: 30 } },
}

/** https://ai.google.dev/gemini-api/docs/pricing: per million tokens, and per picture. */
export const geminiModels: Models<GoogleModel> = {
  'gemini-nano-banana-2.1': { price: { input: 1.5, textOutput: 7.5, imageOutput: 30 } },
  // Ignores the tokens of the prompt, which cost less than a cent.
  'gemini-3-pro-image': {
    price: ({ input, units }) => units * (input['resolution'] === '4K' ? 0.24 : 0.134),
  },
}

/** https://ai.google.dev/gemini-api/docs/pricing: per million tokens. One second of video has 5792 tokens. */
export const geminiOmniModels: Models<GeminiOmniModel> = {
  'gemini-omni-1.2-flash': { price: { input: 1.5, textOutput: 9, videoOutput: 17.5 } },
}

/** https://docs.bfl.ai names the endpoints. Black Forest Labs says what each job costs. */
export const bflModels: Models<BflModel> = {
  'flux-2-pro': { endpoint: 'flux-2-pro', outputKind: 'image' },
  'flux-2-max': { endpoint: 'flux-2-max', outputKind: 'image' },
  'flux-3-image': { endpoint: 'flux-3-image', outputKind: 'image', typicalMs: 50_000 },
  'flux-3-video': { endpoint: 'flux-3-video', outputKind: 'video', typicalMs: 300_000 },
}

/** https://docs.dev.runwayml.com/guides/models lists the models. Runway says what each job costs. */
export const runwayModels: Models<RunwayModel> = {
  gen4_image: { model: 'gen4_image', outputKind: 'image' },
  'gen4.5': { model: 'gen4.5', outputKind: 'video', typicalMs: 60_000 },
}

/**
 * https://docs.byteplus.com/en/docs/ModelArk/1544106: per image, and per million tokens of video. A
 * token costs less if the job has videos for reference.
 */
export const arkModels: Models<ArkModel> = {
  'seedream-4.5': { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 },
  'seedance-2-mini': {
    model: 'dreamina-seedance-2-0-mini-260615',
    outputKind: 'video',
    price: ({ input, units }) => units * (input['reference_videos'] === undefined ? 3.5 : 2.1),
  },
}

/** https://docs.x.ai/developers/models: xAI says what each job has cost, so these models have a cost without a price. */
export const xaiModels: Models<XaiModel> = {
  'grok-imagine-image': { outputKind: 'image' },
  'grok-imagine-video-1.5': { outputKind: 'video' },
}

/**
 * https://openrouter.ai/collections/video-models ranks the models (read on 2026-11-27). OpenRouter says what each job has cost, so
 * these models have a cost without a price.
 */
export const openrouterModels: Models<OpenrouterModel> = {
  'gemini-omni-1.2-flash': { model: 'google/gemini-omni-1.2-flash' },
  'wan-3.0': { model: 'alibaba/wan-3.0' },
}

/**
 * https://docs.runpod.io/public-endpoints/reference lists the public endpoints (as of 2026-08-20). They say what each job has
 * cost, so these models have a cost without a price.
 */
export const runpodModels: Models<RunpodModel> = {
  'z-image-turbo': {
    endpoint: 'z-image-turbo',
    outputKind: 'image',
    fields: { resolution: 'size', seed: 'seed' },
    limits: {
      resolution: ['1024*1024', '1280*1280', '1024*768', '768*1024', '1280*720', '720*1280'],
    },
  },
  'vidu-q3': {
    endpoint: 'vidu-q3-t2v',
    outputKind: 'video',
    fields: {
      aspect_ratio: 'aspect_ratio',
      resolution: 'resolution',
      duration: 'duration',
      sound: 'generate_audio',
      seed: 'seed',
    },
    limits: {
      aspect_ratio: ['16:9', '9:16', '4:3', '3:4', '1:1'],
      resolution: ['540p', '720p', '1080p'],
      duration: { min: 1, max: 16 },
    },
    typicalMs: 60_000,
  },
}

/** @param checkpoint the file name of a checkpoint that ComfyUI has */
export function comfyuiModels(checkpoint: string): Models<ComfyuiModel> {
  return { 'comfyui-text-to-image': { ...textToImageModel(checkpoint), price: 0 } }
}

/**
 * @param endpoint the id of an endpoint with worker-comfyui
 * @param checkpoint the file name of a checkpoint that its ComfyUI has
 */
export function workerComfyuiModels(endpoint: string, checkpoint: string): Models<RunpodModel> {
  return { 'runpod-text-to-image': { endpoint, ...textToImageModel(checkpoint) } }
}

function textToImageModel(checkpoint: string) {
  const side = { type: 'integer', min: 256, max: 2048 } as const
  return {
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
  } as const
}
