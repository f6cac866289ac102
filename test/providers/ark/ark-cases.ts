import { arkProvider } from '@genmount/provider-ark'
import { foxInput as input, type HostedVendor, plainFetch, type VendorCase } from '../vendor-case.ts'
import { openaiWords } from '../openai/openai-words.ts'
import { arkFake, token as arkKey } from './ark-fake.ts'

const arkError = (message: string) => ({ error: { code: 'InvalidParameter', message } })

/** Films and images of BytePlus ModelArk. */
export const arkCases: Readonly<Record<string, VendorCase>> = {
  'ark film': {
    model: 'film',
    input,
    start: startArk,
    stepOf: (method) => (method === 'POST' ? 'submit' : method === 'GET' ? 'poll' : 'other'),
    error: arkError,
    ended: (video_url) => ({ step: 'poll', json: () => ({ status: 'succeeded', content: { video_url } }) }),
    failed: (message) => ({
      step: 'poll',
      json: () => ({ status: 'failed', error: { code: 'InternalServiceError', message } }),
    }),
    strange: { step: 'poll', json: () => ({ status: 'pondering' }) },
    isDurable: true,
    webhooks: 'hints',
  },

  'ark image': {
    ...openaiWords,
    model: 'picture',
    input,
    start: startArk,
    error: arkError,
    knowsNonsense: true,
  },
}

async function startArk(typicalMs = 1000): Promise<HostedVendor> {
  const fake = await arkFake({ queued: typicalMs / 1000 })
  return {
    secrets: [arkKey],
    taken: () => fake.ledger.length,
    fetch: plainFetch,
    connect: (fetch) =>
      arkProvider({
        token: arkKey,
        baseUrl: fake.baseUrl,
        models: {
          film: { model: 'seedance-1-5-pro-251215', outputKind: 'video', price: 2.4, typicalMs },
          picture: { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 },
        },
        fetch,
      }),
    forget: fake.forget,
    webhook: {
      finish: fake.finish,
      address: () => fake.ledger.at(-1)?.body['callback_url'] as string | undefined,
      signed: fake.callback,
    },
    close: fake.close,
  }
}
