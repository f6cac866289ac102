import type { Provider } from '@genmount/core'
import { geminiOmniProvider } from '@genmount/provider-gemini-omni'
import { googleProvider } from '@genmount/provider-google'
import { veoProvider } from '@genmount/provider-veo'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { foxInput as input, type HostedVendor, plainFetch, type VendorCase } from '../vendor-case.ts'
import { googleFake, token as googleKey } from './google-fake.ts'
import { veoWords } from './veo-words.ts'

/** The models of Google's three APIs. */
export const googleCases: Readonly<Record<string, VendorCase>> = {
  'google video': {
    ...veoWords,
    model: 'veo',
    input,
    start: () => startGoogle('veo'),
  },

  'google omni': {
    model: 'omni',
    // Some cases ask the provider itself, so that the schema's defaults are not there.
    input: { ...input, resolution: '720p', duration: 8 },
    start: (typicalMs) => startGoogle('omni', typicalMs),
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
  },

  'google image': {
    model: 'nano',
    input,
    start: () => startGoogle('nano'),
    stepOf: () => 'submit',
    error: veoWords.error,
    ended: (fileUri) => ({
      step: 'submit',
      json: () => ({
        candidates: [
          {
            content: { parts: fileUri === undefined ? [] : [{ fileData: { fileUri } }] },
            finishReason: 'STOP',
          },
        ],
      }),
    }),
    isDurable: false,
    knowsNonsense: true,
  },
}

/** The providers of Google's three APIs. */
const googleProviders = {
  veo: (options) =>
    veoProvider({
      ...options,
      models: { veo: { model: 'veo-3.1-generate-preview', price: 0.4, typicalMs: 1000 } },
    }),
  omni: (options, typicalMs) =>
    geminiOmniProvider({
      ...options,
      models: { omni: { model: 'gemini-omni-1.2-flash', price: 0.1, typicalMs } },
    }),
  nano: (options) =>
    googleProvider({ ...options, models: { nano: { model: 'gemini-3-pro-image', price: 0.04 } } }),
} satisfies Record<string, (options: Parameters<typeof veoProvider>[0], typicalMs: number) => Provider>

interface WebhookBody {
  readonly webhook_config?: { readonly uris?: readonly string[] }
}

async function startGoogle(model: keyof typeof googleProviders, typicalMs = 1000): Promise<HostedVendor> {
  const fake = await googleFake()
  return {
    secrets: [googleKey],
    taken: () => fake.ledger.length,
    fetch: plainFetch,
    connect: (fetch) =>
      googleProviders[model](
        { token: googleKey, baseUrl: fake.baseUrl, models: {}, fetch, fetchFile },
        typicalMs,
      ),
    forget: fake.forget,
    webhook: {
      finish: fake.interactions.finish,
      address: () => (fake.ledger.at(-1)?.body as WebhookBody | undefined)?.webhook_config?.uris?.[0],
      signed: fake.interactions.webhook,
    },
    close: fake.close,
  }
}
