import type { Provider } from '@genmount/core'
import { openaiProvider, type OpenaiProviderOptions } from '@genmount/provider-openai'
import { openaiResponsesProvider } from '@genmount/provider-openai-responses'
import { foxInput as input, plainFetch, type VendorCase, type Words } from '../vendor-case.ts'
import { token as openaiKey } from './openai-errors.ts'
import { openaiFake } from './openai-fake.ts'
import { openaiWords } from './openai-words.ts'

const responseWords = (fields: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ id: pathname.split('/').at(-1), object: 'response', output: [], ...fields }),
})

/** Images of OpenAI's images API, each within one call. @param make makes the provider of the case */
export const imagesCase = (
  make: (options: OpenaiProviderOptions & { readonly baseUrl: string }) => Provider,
): VendorCase => ({
  ...openaiWords,
  model: 'gpt-image-2',
  input,
  async start() {
    const { ledger, baseUrl, close } = await openaiFake()
    const models = { 'gpt-image-2': { price: 0.04 } }
    return {
      secrets: [openaiKey],
      taken: () => ledger.length,
      fetch: plainFetch,
      connect: (fetch) => make({ token: openaiKey, baseUrl, models, fetch }),
      close,
    }
  },
  knowsNonsense: true,
})

/** Images of OpenAI: within one call, and in the background. */
export const openaiCases: Readonly<Record<string, VendorCase>> = {
  openai: imagesCase(openaiProvider),

  'openai responses': {
    model: 'gpt-image-2',
    input,
    async start(typicalMs = 1000) {
      const fake = await openaiFake()
      const caller = { model: 'gpt-5.6-luna', price: { input: 1, output: 6 } }
      return {
        secrets: [openaiKey],
        taken: () => fake.responses.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          openaiResponsesProvider({
            token: openaiKey,
            baseUrl: fake.baseUrl,
            models: { 'gpt-image-2': { price: 0.04, caller, typicalMs } },
            fetch,
          }),
        forget: fake.responses.forget,
        close: fake.close,
      }
    },
    stepOf: (method) => (method === 'POST' ? 'submit' : 'poll'),
    error: openaiWords.error,
    ended: (result) =>
      responseWords({ status: 'completed', output: [{ type: 'image_generation_call', result }] }),
    failed: (message) => responseWords({ status: 'failed', error: { code: 'server_error', message } }),
    strange: responseWords({ status: 'pondering' }),
    isDurable: true,
  },
}
