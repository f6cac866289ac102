import { openaiCompatible } from '@genmount/provider-openai-compatible'
import { imagesCase } from '../openai/openai-cases.ts'
import type { VendorCase } from '../vendor-case.ts'

/** Images of a server with OpenAI's API. */
export const openaiCompatibleCases: Readonly<Record<string, VendorCase>> = {
  'openai-compatible': imagesCase(({ token, baseUrl, models, fetch }) =>
    openaiCompatible({ token, baseUrl, models: models as never, fetch }),
  ),
}
