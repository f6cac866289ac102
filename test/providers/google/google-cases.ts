import type { Provider } from '@genmount/core'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { foxInput, polled, type ProviderOptions, type VendorCase, vendorCase } from '../vendor-case.ts'
import { googleFake, token } from './google-fake.ts'
import { veoWords } from './veo-words.ts'

/** @param make makes a provider of one of Google's two APIs, with a model */
const at = (make: (options: never) => Provider, model: object) => ({
  secrets: [token],
  fake: () => googleFake(),
  provider({ origin, fetch, typicalMs = 1000 }: ProviderOptions) {
    const models = { it: { typicalMs, ...model } }
    return make({ token, baseUrl: `${origin}/v1beta`, models, fetch, fetchFile } as never)
  },
})

/** The models of Google's two APIs. */
export const googleCases: Readonly<Record<string, VendorCase>> = {
  'google omni': vendorCase({
    ...at(geminiOmniProvider, { model: 'gemini-omni-1.2-flash', price: 0.1 }),
    // Some cases ask the provider itself, so that the schema's defaults are not there.
    input: { ...foxInput, resolution: '720p', duration: 8 },
    stepOf(method, { pathname }) {
      if (!/\/interactions(?:\/[^/]+)?$/.test(pathname)) return 'other'
      return method === 'POST' ? 'submit' : 'poll'
    },
    error: (message) => ({ error: { message, code: 'invalid_request' } }),
    ended(uri) {
      const content = uri === undefined ? [] : [{ type: 'video', uri }]
      return polled({ status: 'completed', steps: [{ type: 'model_output', content }] })
    },
    failed: (message) => polled({ status: 'failed', errors: [{ code: 'internal', message }] }),
    strange: polled({ status: 'pondering' }),
    isDurable: true,
    webhooks: 'hints',
  }),

  'google image': vendorCase({
    ...at(googleProvider, { model: 'gemini-3-pro-image', price: 0.04 }),
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
