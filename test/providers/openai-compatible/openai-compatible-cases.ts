import { openaiCompatible } from '@genmount/provider-openai-compatible'
import { foxInput as input, plainFetch, type VendorCase } from '../vendor-case.ts'
import { token as openaiKey } from '../openai/openai-errors.ts'
import { openaiFake } from '../openai/openai-fake.ts'
import { openaiWords } from '../openai/openai-words.ts'

/** Images of a server with OpenAI's API. */
export const openaiCompatibleCases: Readonly<Record<string, VendorCase>> = {
  'openai-compatible': {
    ...openaiWords,
    model: 'gpt-image-2',
    input,
    async start() {
      const fake = await openaiFake()
      return {
        secrets: [openaiKey],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          openaiCompatible({
            token: openaiKey,
            baseUrl: fake.baseUrl,
            models: { 'gpt-image-2': { price: 0.04 } },
            fetch,
          }),
        close: fake.close,
      }
    },
    knowsNonsense: true,
  },
}
