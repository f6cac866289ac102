import type { PricedTask } from '@genmount/core'
import type { GeminiOmniModel } from './omni/omni-options.ts'
import type { GoogleModel } from './provider/google-options.ts'

/**
 * The image models of Google of November 2026, as data for the option `models` of `googleProvider`, by the ids that clients send.
 * Prices of https://ai.google.dev/gemini-api/docs/pricing: that of Nano Banana 2.1 as BerriAI/litellm#44983 quotes it, that of Lite
 * as docs.laozhang.ai quotes it for an image of 1K. The prices of an image ignore the tokens of the prompt, which cost less than a
 * cent.
 * @example googleProvider({ token: process.env.GEMINI_API_KEY!, models: googleModels })
 */
export const googleModels = {
  'gemini-nano-banana-2.1': { price: { input: 1.5, textOutput: 7.5, imageOutput: 30 } },
  'gemini-3.1-flash-lite-image': { price: 0.0336 },
  'gemini-3-pro-image': {
    price: ({ input, units }: PricedTask) => units * (input['resolution'] === '4K' ? 0.24 : 0.134),
  },
} satisfies Readonly<Record<string, GoogleModel>>

/**
 * The film model of Google of November 2026, as data for the option `models` of `geminiOmniProvider`. One second of film has 5792
 * tokens.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example geminiOmniProvider({ token: process.env.GEMINI_API_KEY!, models: geminiOmniModels })
 */
export const geminiOmniModels = {
  'gemini-omni-1.2-flash': { price: { input: 1.5, textOutput: 9, videoOutput: 17.5 } },
} satisfies Readonly<Record<string, GeminiOmniModel>>
