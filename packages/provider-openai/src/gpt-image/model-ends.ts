import type { ModelEnds } from '@genmount/core'

const replacement = 'gpt-image-2.6-flare'

/**
 * The image models that OpenAI has ended or will end.
 * @see https://developers.openai.com/api/docs/deprecations, read in a stored copy on 2026-11-27
 */
export const modelEnds: ModelEnds = {
  'gpt-image-1': { on: '2026-10-23', replacement },
  'gpt-image-1-mini': { on: '2026-12-01', replacement },
  'gpt-image-1.5': { on: '2026-12-01', replacement },
  'chatgpt-image-latest': { on: '2026-12-01', replacement },
}
