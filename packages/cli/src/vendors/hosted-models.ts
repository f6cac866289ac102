import type { ComfyuiModel } from '@genmount/provider-comfyui'
import type { KlingModel } from '@genmount/provider-kling'
import type { OpenrouterModel } from '@genmount/provider-openai/openrouter'
import type { RunpodModel } from '@genmount/provider-runpod'
import { textToImage } from './text-to-image.ts'

/*
 * Models of vendors whose packages have no catalogue. Clients name a model by its key in these objects.
 */
type Models<Model> = Readonly<Record<string, Model>>

/** https://kling.ai/document-api/guides/capability-map/video lists the models. Kling says what each job costs. */
export const klingModels: Models<KlingModel> = {
  'kling-image-3': { model: 'kling-v3', outputKind: 'image' },
  'kling-3-turbo': { model: 'kling-3.0-turbo', outputKind: 'video', typicalMs: 90_000 },
  'kling-3-omni': { model: 'kling-3.0-omni', outputKind: 'video', typicalMs: 180_000 },
}

/** The models that an access key opens, which Kling names in the body. */
export const olderKlingModels: Models<KlingModel> = {
  'kling-image-3': { model: 'kling-v3', outputKind: 'image' },
  'kling-3-omni': { model: 'kling-v3-omni', outputKind: 'video', typicalMs: 180_000 },
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
