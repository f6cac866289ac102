import type { ModelEnds } from '@genmount/core'

/**
 * The image models that xAI has ended. Since then xAI makes the images of the first with its replacement, at another price.
 * @see https://docs.x.ai/developers/migration/imagine-image-quality-nov-2
 * @see https://docs.x.ai/developers/migration/may-15-retirement
 */
export const modelEnds: ModelEnds = {
  'grok-imagine-image-quality': { on: '2026-11-02', replacement: 'grok-imagine-image-2.0' },
  'grok-imagine-image-pro': { on: '2026-05-15', replacement: 'grok-imagine-image-2.0' },
}
