import { xaiProvider } from '@genmount/provider-xai'
import { foxInput as input, type HostedVendor, plainFetch, type VendorCase } from '../vendor-case.ts'
import { openaiWords } from '../openai/openai-words.ts'
import { token as xaiKey, xaiFake } from './xai-fake.ts'

const xaiError = (error: string) => ({ code: 'invalid-argument', error })

/** Films and images of xAI. */
export const xaiCases: Readonly<Record<string, VendorCase>> = {
  'xai film': {
    model: 'film',
    input,
    start: startXai,
    stepOf: (method) => (method === 'POST' ? 'submit' : 'poll'),
    error: xaiError,
    ended: (url) => ({ step: 'poll', json: () => ({ status: 'done', video: { url, duration: 6 } }) }),
    failed: (message) => ({
      step: 'poll',
      json: () => ({ status: 'failed', error: { code: 'internal_error', message } }),
    }),
    strange: { step: 'poll', json: () => ({ status: 'pondering' }) },
    isDurable: true,
  },

  'xai image': {
    ...openaiWords,
    model: 'picture',
    input,
    start: startXai,
    error: xaiError,
    knowsNonsense: true,
  },
}

async function startXai(typicalMs = 1000): Promise<HostedVendor> {
  const fake = await xaiFake()
  return {
    secrets: [xaiKey],
    taken: () => fake.ledger.length,
    fetch: plainFetch,
    connect: (fetch) =>
      xaiProvider({
        token: xaiKey,
        baseUrl: fake.baseUrl,
        models: {
          film: { model: 'grok-imagine-video', outputKind: 'video', typicalMs },
          picture: { model: 'grok-imagine-image', outputKind: 'image' },
        },
        fetch,
      }),
    forget: fake.forget,
    close: fake.close,
  }
}
