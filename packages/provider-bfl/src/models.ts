import type { BflModel } from './provider/bfl-options.ts'

/**
 * Models of Black Forest Labs that are in demand in November 2026, as data for the option `models` of `bflProvider`, by the ids that
 * clients send. BFL says what each job costs. The name of Klein's endpoint is that of AI Gateway's model, because no copy of BFL's
 * page was there.
 * @see https://docs.bfl.ai
 * @example bflProvider({ token: process.env.BFL_API_KEY!, models: bflModels })
 */
export const bflModels = {
  'flux-3-image': { endpoint: 'flux-3-image', outputKind: 'image', typicalMs: 50_000 },
  'flux-3-image-klein': { endpoint: 'flux-3-image-klein', outputKind: 'image' },
  'flux-3-video': { endpoint: 'flux-3-video', outputKind: 'video', typicalMs: 300_000 },
  'flux-2-pro': { endpoint: 'flux-2-pro', outputKind: 'image' },
  'flux-2-max': { endpoint: 'flux-2-max', outputKind: 'image' },
  'flux-2-flex': { endpoint: 'flux-2-flex', outputKind: 'image' },
  'flux-kontext-pro': { endpoint: 'flux-kontext-pro', outputKind: 'image' },
  'flux-kontext-max': { endpoint: 'flux-kontext-max', outputKind: 'image' },
} satisfies Readonly<Record<string, BflModel>>
