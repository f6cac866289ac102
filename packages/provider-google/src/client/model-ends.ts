import type { ModelEnds } from '@genmount/core'

const picture = 'gemini-nano-banana-2.1'

/**
 * The models that Google has ended. Gemini 3.1 Flash Image is not here: LiteLLM reports 2026-10-29 as its last day
 * (BerriAI/litellm#44983), and Google's own changelog of 2026-10-08 says that no day is announced.
 * @see https://ai.google.dev/gemini-api/docs/deprecations
 */
export const modelEnds: ModelEnds = {
  'gemini-2.5-flash-image': { on: '2026-10-02', replacement: picture },
  'gemini-3.1-flash-image-preview': { on: '2026-06-25', replacement: picture },
  'gemini-3-pro-image-preview': { on: '2026-06-25', replacement: 'gemini-3-pro-image' },
  'gemini-omni-flash-preview': { on: '2026-09-30', replacement: 'gemini-omni-1.2-flash' },
}
