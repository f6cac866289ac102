import { openaiCompatible } from '@genmount/provider-openai-compatible'
import { imagesCase } from '../openai/openai-cases.ts'
import type { VendorCase } from '../vendor-case.ts'

/** Images of a server with OpenAI's API. */
export const openaiCompatibleCases: Readonly<Record<string, VendorCase>> = {
  'openai-compatible': imagesCase(({ token, baseUrl, fetch }) =>
    openaiCompatible({ token, baseUrl, models: { 'gpt-image-2': { price: 0.04 } }, fetch }),
  ),
}
