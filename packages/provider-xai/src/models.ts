import type { XaiModel } from './provider/xai-options.ts'

/**
 * The models of xAI of November 2026, as data for the option `models` of `xaiProvider`, by the ids that clients send. xAI says what
 * each job has cost, so jobs have a cost without a price.
 * @see https://docs.x.ai/developers/models
 * @example xaiProvider({ token: process.env.XAI_API_KEY!, models: xaiModels })
 */
export const xaiModels = {
  'grok-imagine-image-2.0': { outputKind: 'image' },
  'grok-imagine-image': { outputKind: 'image' },
  'grok-imagine-video-1.5': { outputKind: 'video' },
  'grok-imagine-video': { outputKind: 'video' },
} satisfies Readonly<Record<string, XaiModel>>
