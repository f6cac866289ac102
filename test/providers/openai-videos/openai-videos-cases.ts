import { openrouterProvider } from '@genmount/provider-openai/openrouter'
import { openaiVideosProvider } from '@genmount/provider-openai/videos'
import { openaiError } from '../openai/openai-words.ts'
import { polled, type Step, type VendorCase, vendorCase } from '../vendor-case.ts'
import { openaiVideosFake, token } from './openai-videos-fake.ts'
import { openrouterFake, token as openrouterKey, webhookSecret } from './openrouter-fake.ts'

function stepOf(method: string, { pathname }: URL): Step {
  if (pathname.endsWith('/videos/models')) return 'other'
  if (method === 'GET') return pathname.endsWith('/content') ? 'result' : 'poll'
  return method === 'POST' && pathname.endsWith('/videos') ? 'submit' : 'other'
}

const strange = polled({ status: 'pondering' })

/** Films of servers with OpenAI's API, and of OpenRouter. */
export const openaiVideosCases: Readonly<Record<string, VendorCase>> = {
  'openai videos': vendorCase({
    secrets: [token],
    fake: () => openaiVideosFake(),
    provider: ({ origin, fetch, typicalMs = 1000 }) =>
      openaiVideosProvider({
        token,
        baseUrl: `${origin}/v1`,
        models: { it: { model: 'sora-2', typicalMs } },
        cancel: 'cancel',
        fetch,
      }),
    stepOf,
    error: (message) => openaiError(400, message, null).json,
    // The API names no link: the film is at a path of its own.
    ended: (url) => ({ step: 'result', json: () => ({ url }) }),
    failed: (message) => polled({ status: 'failed', error: { code: 'server_error', message } }),
    strange,
    isDurable: true,
  }),

  openrouter: vendorCase({
    secrets: [openrouterKey],
    fake: () => openrouterFake(),
    provider: ({ origin, fetch, typicalMs = 1000 }) =>
      openrouterProvider({
        token: openrouterKey,
        baseUrl: `${origin}/api/v1`,
        models: { it: { model: 'google/veo-3.1', typicalMs } },
        webhookSecret,
        fetch,
      }),
    stepOf,
    error: (message) => ({ error: { code: 400, message } }),
    ended: (url) => polled({ status: 'completed', unsigned_urls: url === undefined ? [] : [url] }),
    failed: (error) => polled({ status: 'failed', error }),
    strange,
    isDurable: true,
    webhooks: 'signed',
  }),
}
