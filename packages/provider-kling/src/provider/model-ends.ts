import type { ModelEnds } from '@genmount/core'

const end = { on: '2026-09-15', replacement: 'kling-v3' }

/**
 * The models that Kling has ended. Second hand: a customer's list (2026-09), whose source is
 * https://kling.ai/document-api/api/image/2-0/image-generation. The film model kling-v2-1 ended too, and is not here, because the
 * image model of that name has not.
 */
export const modelEnds: ModelEnds = { 'kling-v2': end, 'kling-v1-5': end, 'kling-v1-6': end }
