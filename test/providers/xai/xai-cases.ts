import { xaiProvider } from '@genmount/provider-xai'
import { openaiWords } from '../openai/openai-words.ts'
import { polled, type ProviderOptions, type VendorCase, vendorCase } from '../vendor-case.ts'
import { token, xaiFake } from './xai-fake.ts'

const shared = {
  secrets: [token],
  fake: () => xaiFake(),
  provider: ({ origin, fetch, typicalMs = 1000 }: ProviderOptions) =>
    xaiProvider({
      token,
      baseUrl: `${origin}/v1`,
      models: {
        film: { model: 'grok-imagine-video', outputKind: 'video', typicalMs },
        picture: { model: 'grok-imagine-image', outputKind: 'image' },
      },
      fetch,
    }),
  error: (error: string) => ({ code: 'invalid-argument', error }),
}

/** Films and images of xAI. */
export const xaiCases: Readonly<Record<string, VendorCase>> = {
  'xai film': vendorCase({
    ...shared,
    model: 'film',
    ended: (url) => polled({ status: 'done', video: { url, duration: 6 } }),
    failed: (message) => polled({ status: 'failed', error: { code: 'internal_error', message } }),
    strange: polled({ status: 'pondering' }),
    isDurable: true,
  }),
  'xai image': vendorCase({ ...openaiWords, ...shared, model: 'picture', knowsNonsense: true }),
}
