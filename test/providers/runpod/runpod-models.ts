import type { RunpodModel } from '@genmount/provider-runpod'
import { textToImage } from '../comfyui/comfyui-shapes.ts'

/** Public endpoints, and a workflow on an endpoint with worker-comfyui. */
export const runpodModels = {
  film: {
    endpoint: 'wan-2-6-t2v',
    outputKind: 'video',
    fields: { negative_prompt: 'negative_prompt', resolution: 'size', duration: 'duration', seed: 'seed' },
    limits: { resolution: ['1280*720', '1920*1080'], duration: [5, 10, 15] },
    policy: { executionTimeout: 900_000, ttl: 3_600_000 },
  },
  picture: {
    endpoint: 'z-image-turbo',
    outputKind: 'image',
    fields: { image: 'image', resolution: 'size', seed: 'seed' },
    providerOptions: { output_format: 'png' },
  },
  edit: {
    endpoint: 'google-nano-banana-2-edit',
    outputKind: 'image',
    fields: { image: 'images[14]', aspect_ratio: 'aspect_ratio', resolution: 'resolution' },
    required: ['prompt', 'image'],
  },
  workflow: {
    endpoint: '4k8c0mfyui2q',
    outputKind: 'image',
    workflow: textToImage,
    inputs: { prompt: { node: '6', field: 'text' }, seed: { node: '3', field: 'seed' } },
    price: 0.0005,
    priceUnit: 'second',
  },
} as const satisfies Readonly<Record<string, RunpodModel>>
