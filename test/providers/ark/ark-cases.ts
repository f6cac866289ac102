import { arkProvider } from '@genmount/provider-ark'
import { openaiWords } from '../openai/openai-words.ts'
import { polled, type ProviderOptions, type VendorCase, vendorCase } from '../vendor-case.ts'
import { arkFake, token } from './ark-fake.ts'

const shared = {
  secrets: [token],
  fake: (typicalMs = 1000) => arkFake({ queued: typicalMs / 1000 }),
  provider: ({ origin, fetch, typicalMs = 1000 }: ProviderOptions) =>
    arkProvider({
      token,
      baseUrl: `${origin}/api/v3`,
      models: {
        film: { model: 'seedance-1-5-pro-251215', outputKind: 'video', price: 2.4, typicalMs, end: false },
        picture: { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 },
      },
      fetch,
    }),
  error: (message: string) => ({ error: { code: 'InvalidParameter', message } }),
}

/** Films and images of BytePlus ModelArk. */
export const arkCases: Readonly<Record<string, VendorCase>> = {
  'ark film': vendorCase({
    ...shared,
    model: 'film',
    ended: (video_url) => polled({ status: 'succeeded', content: { video_url } }),
    failed: (message) => polled({ status: 'failed', error: { code: 'InternalServiceError', message } }),
    strange: polled({ status: 'pondering' }),
    isDurable: true,
    webhooks: 'hints',
  }),
  'ark image': vendorCase({ ...openaiWords, ...shared, model: 'picture', knowsNonsense: true }),
}
