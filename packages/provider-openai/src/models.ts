import type { OpenaiModel } from './gpt-image/gpt-image-model.ts'

/**
 * OpenAI's price list of GPT Image 2, per million tokens. Resellers report on 2026-11-05 that 2.5 and 2.6 cost the same
 * (docs.apiyi.com/en/live/2026-11/gpt-image-2-6-launch, docs.laozhang.ai/en/announcements/gpt-image-2-6-2026-11).
 */
const price = { textInput: 5, imageInput: 8, imageOutput: 30 }

/**
 * The image models of OpenAI of November 2026, as data for the option `models` of `openaiProvider`, by the ids that clients send.
 * `flare` is the faster one of a pair, `sunburst` the more detailed one.
 * @see https://developers.openai.com/api/docs/deprecations recommends 2.6, read in a stored copy on 2026-11-27
 * @example openaiProvider({ token: process.env.OPENAI_API_KEY!, models: openaiModels })
 */
export const openaiModels = {
  'gpt-image-2.6-flare': { price },
  'gpt-image-2.6-sunburst': { price },
  'gpt-image-2.5-flare': { price },
  'gpt-image-2.5-sunburst': { price },
  'gpt-image-2': { price },
} satisfies Readonly<Record<string, OpenaiModel>>
