import type { Provider } from '@genmount/core'
import { openaiProvider, type OpenaiProviderOptions } from '@genmount/provider-openai'
import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { openaiResponsesProvider } from '@genmount/provider-openai/responses'
import { polled, type VendorCase, vendorCase } from '../vendor-case.ts'
import { webhookSecret } from './fake-responses.ts'
import { openaiFake } from './openai-fake.ts'
import { openaiWords, token } from './openai-words.ts'

/** Images of OpenAI's images API, each within one call. @param make makes the provider of the case */
const imagesCase = (
  make: (options: OpenaiProviderOptions & { readonly baseUrl: string }) => Provider,
): VendorCase =>
  vendorCase({
    ...openaiWords,
    secrets: [token],
    fake: openaiFake,
    provider: ({ origin, fetch }) =>
      make({ token, baseUrl: `${origin}/v1`, models: { it: { model: 'gpt-image-2', price: 0.04 } }, fetch }),
    knowsNonsense: true,
  })

/** Images of OpenAI and of servers with its API: within one call, and in the background. */
export const openaiCases: Readonly<Record<string, VendorCase>> = {
  openai: imagesCase(openaiProvider),

  'openai-compatible': imagesCase((options) => openaiCompatible(options as never)),

  'openai responses': vendorCase({
    secrets: [token],
    async fake() {
      const { responses, ...server } = await openaiFake()
      return { ...server, ...responses }
    },
    provider({ origin, fetch, typicalMs = 1000 }) {
      const caller = { model: 'gpt-5.6-luna', price: { input: 1, output: 6 } }
      const models = { it: { model: 'gpt-image-2', price: 0.04, caller, typicalMs } }
      return openaiResponsesProvider({ token, baseUrl: `${origin}/v1`, models, fetch, webhookSecret })
    },
    error: openaiWords.error,
    ended: (result) => polled({ status: 'completed', output: [{ type: 'image_generation_call', result }] }),
    failed: (message) => polled({ status: 'failed', output: [], error: { code: 'server_error', message } }),
    strange: polled({ status: 'pondering', output: [] }),
    isDurable: true,
    webhooks: 'account',
  }),
}
