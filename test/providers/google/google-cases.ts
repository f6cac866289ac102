import type { Provider } from '@genmount/core'
import { geminiOmniProvider } from '@genmount/provider-gemini-omni'
import { googleProvider } from '@genmount/provider-google'
import { veoProvider } from '@genmount/provider-veo'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { foxInput, type ProviderOptions, type VendorCase, vendorCase } from '../vendor-case.ts'
import { googleFake, token } from './google-fake.ts'
import { veoWords } from './veo-words.ts'

/** @param make makes a provider of one of Google's three APIs, with these options */
const at = (make: (options: Parameters<typeof veoProvider>[0], typicalMs: number) => Provider) => ({
  secrets: [token],
  fake: () => googleFake(),
  provider: ({ origin, fetch, typicalMs = 1000 }: ProviderOptions) =>
    make({ token, baseUrl: `${origin}/v1beta`, models: {}, fetch, fetchFile }, typicalMs),
})

/** The models of Google's three APIs. */
export const googleCases: Readonly<Record<string, VendorCase>> = {
  'google video': vendorCase({
    ...veoWords,
    ...at((options) => {
      const it = { model: 'veo-3.1-generate-preview', price: 0.4, typicalMs: 1000 }
      return veoProvider({ ...options, models: { it } })
    }),
  }),

  'google omni': vendorCase({
    ...at((options, typicalMs) => {
      const it = { model: 'gemini-omni-1.2-flash', price: 0.1, typicalMs }
      return geminiOmniProvider({ ...options, models: { it } })
    }),
    // Some cases ask the provider itself, so that the schema's defaults are not there.
    input: { ...foxInput, resolution: '720p', duration: 8 },
    stepOf(method, { pathname }) {
      if (!/\/interactions(?:\/[^/]+)?$/.test(pathname)) return 'other'
      return method === 'POST' ? 'submit' : 'poll'
    },
    error: (message) => ({ error: { message, code: 'invalid_request' } }),
    ended: (uri) => ({
      step: 'poll',
      json: ({ pathname }) => ({
        id: pathname.split('/').at(-1),
        status: 'completed',
        steps: [{ type: 'model_output', content: uri === undefined ? [] : [{ type: 'video', uri }] }],
      }),
    }),
    failed: (message) => ({
      step: 'poll',
      json: () => ({ id: 'v1', status: 'failed', errors: [{ code: 'internal', message }] }),
    }),
    strange: { step: 'poll', json: () => ({ id: 'v1', status: 'pondering' }) },
    isDurable: true,
    webhooks: 'hints',
  }),

  'google image': vendorCase({
    ...at((options) => {
      const it = { model: 'gemini-3-pro-image', price: 0.04 }
      return googleProvider({ ...options, models: { it } })
    }),
    stepOf: () => 'submit',
    error: veoWords.error,
    ended(fileUri) {
      const content = { parts: fileUri === undefined ? [] : [{ fileData: { fileUri } }] }
      return { step: 'submit', json: () => ({ candidates: [{ content, finishReason: 'STOP' }] }) }
    },
    isDurable: false,
    knowsNonsense: true,
  }),
}
