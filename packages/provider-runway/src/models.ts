import type { RunwayModel } from './provider/runway-options.ts'

/**
 * Models that Runway has in November 2026, as data for the option `models` of `runwayProvider`, by the ids that clients send: its own
 * and those of others. The names are those in the types of @runwayml/sdk 4.20.1. Runway says what each job costs.
 * @see https://docs.dev.runwayml.com/guides/models
 * @example runwayProvider({ token: process.env.RUNWAYML_API_SECRET!, models: runwayModels })
 */
export const runwayModels = {
  'gen4.5': { model: 'gen4.5', outputKind: 'video', typicalMs: 60_000 },
  seedance2_5: { model: 'seedance2_5', outputKind: 'video' },
  'veo3.1': { model: 'veo3.1', outputKind: 'video' },
  hailuo3: { model: 'hailuo3', outputKind: 'video' },
  h3_max: { model: 'h3_max', outputKind: 'video' },
  wan3: { model: 'wan3', outputKind: 'video' },
  'gemini_omni_flash_1.1': { model: 'gemini_omni_flash_1.1', outputKind: 'video' },
  grok_imagine_1_5: { model: 'grok_imagine_1_5', outputKind: 'video' },
  happyhorse_1_0: { model: 'happyhorse_1_0', outputKind: 'video' },
  gen4_image: { model: 'gen4_image', outputKind: 'image' },
  gpt_image_2_5_sunburst: { model: 'gpt_image_2_5_sunburst', outputKind: 'image' },
  gpt_image_2_5_flare: { model: 'gpt_image_2_5_flare', outputKind: 'image' },
  gemini_image3_pro: { model: 'gemini_image3_pro', outputKind: 'image' },
  grok_imagine_image_2: { model: 'grok_imagine_image_2', outputKind: 'image' },
  seedream5_pro: { model: 'seedream5_pro', outputKind: 'image' },
  muse_image: { model: 'muse_image', outputKind: 'image' },
} satisfies Readonly<Record<string, RunwayModel>>
