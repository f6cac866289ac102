import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { guardedFetch, type GuardedFetch } from '@genmount/guarded-fetch'
import { aiSdkProvider, vendorFetch } from '@genmount/provider-ai-sdk'
import { bflProvider } from '@genmount/provider-bfl'
import { arkProvider } from '@genmount/provider-ark'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-gemini-omni'
import { googleProvider } from '@genmount/provider-google'
import { a1111Provider } from '@genmount/provider-a1111'
import { openaiProvider } from '@genmount/provider-openai'
import { openaiCompatible } from '@genmount/provider-openai-compatible'
import { openaiResponsesProvider } from '@genmount/provider-openai-responses'
import { replicateProvider } from '@genmount/provider-replicate'
import { veoProvider } from '@genmount/provider-veo'
import { fakeA1111, login as a1111Login } from './a1111/fake-a1111.ts'
import { runwayProvider } from '@genmount/provider-runway'
import { google as aiSdkGoogle } from './ai-sdk/vendors/google.ts'
import { openai as aiSdkOpenai } from './ai-sdk/vendors/openai.ts'
import { key as aiSdkKey, vendorServer } from './ai-sdk/vendors/vendor-server.ts'
import { bflKey, startBfl, webhookSecret as bflSecret } from './bfl/bfl-fake.ts'
import { xaiProvider } from '@genmount/provider-xai'
import { arkFake, token as arkKey } from './ark/ark-fake.ts'
import { textToImage } from './comfyui/comfyui-shapes.ts'
import { fakeComfyui } from './comfyui/fake-comfyui.ts'
import { falKey, startFal } from './fal/fal-fake.ts'
import { googleFake, token as googleKey } from './google/google-fake.ts'
import { token as openaiKey } from './openai/openai-errors.ts'
import { openaiFake } from './openai/openai-fake.ts'
import { movedOn } from './replicate/fake-prediction.ts'
import { startReplicate } from './replicate/fake-replicate.ts'
import type { Provider } from '@genmount/core'
import { runwayKey, startRunway } from './runway/runway-fake.ts'
import type { HostedVendor, Step, VendorCase, Words } from './vendor-case.ts'
import { token as xaiKey, xaiFake } from './xai/xai-fake.ts'

type Fetch = typeof globalThis.fetch

/** The guarded fetch of a world in which the loopback is public. */
const fetchFile: GuardedFetch = (url, options) =>
  guardedFetch(url, { ...options, allowAddress: (address) => address === '127.0.0.1' })

const plainFetch: Fetch = (input, init) => fetch(input, init)
const input = { prompt: 'a fox' }

/** Both of Google's ways of a video, by its own provider and by the AI SDK. */
const veoWords = {
  stepOf: (method: string) => (method === 'POST' ? 'submit' : 'poll') as Step,
  error: (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  ended: (uri: unknown): Words => ({
    step: 'poll',
    json: () => ({
      name: 'n',
      done: true,
      response: {
        generateVideoResponse: { generatedSamples: uri === undefined ? [] : [{ video: { uri } }] },
      },
    }),
  }),
  failed: (message: string): Words => ({
    step: 'poll',
    json: () => ({ name: 'n', done: true, error: { code: 13, message } }),
  }),
  strange: { step: 'poll', json: () => ({ name: 'n', state: 'PONDERING' }) } satisfies Words,
  isDurable: true,
}

const replicateWords = (fields: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ id: pathname.split('/').at(-1), metrics: {}, ...fields }),
})

const openaiWords = {
  stepOf: (): Step => 'submit',
  error: (message: string) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
  ended: (url: unknown): Words => ({
    step: 'submit',
    json: () => ({ created: 1, data: url === undefined ? [] : [{ url }] }),
  }),
  isDurable: false,
}

const responseWords = (fields: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ id: pathname.split('/').at(-1), object: 'response', output: [], ...fields }),
})
const arkError = (message: string) => ({ error: { code: 'InvalidParameter', message } })
const xaiError = (error: string) => ({ code: 'invalid-argument', error })

const comfyuiWords = (entry: object): Words => ({
  step: 'result',
  json: ({ pathname }) => ({ [pathname.split('/').at(-1)!]: { prompt: [], outputs: {}, ...entry } }),
})
const comfyuiSuccess = { status_str: 'success', completed: true, messages: [] }

/** Every provider of somebody else's hardware. */
export const vendorCases: Readonly<Record<string, VendorCase>> = {
  replicate: {
    model: 'painter',
    input,
    async start(typicalMs) {
      const fake = await startReplicate()
      const last = () => fake.predictions.get(fake.ledger.at(-1) ?? '')!
      return {
        secrets: [fake.token],
        taken: () => fake.ledger.length,
        fetch: fake.fetch,
        connect: (fetch) =>
          replicateProvider({
            token: fake.token,
            baseUrl: fake.baseUrl,
            models: { painter: { model: 'acme/painter', outputKind: 'image', price: 0.001, typicalMs } },
            webhookSecret: fake.webhookSecret,
            fetch,
          }),
        forget: () => fake.predictions.clear(),
        webhook: {
          finish: () => void fake.predictions.set(last().id, movedOn(movedOn(last()))),
          address: () => last().webhook,
          signed: (sentAt) => fake.webhookOf(last().id, { secret: fake.webhookSecret, sentAt }),
        },
        close: fake.close,
      }
    },
    stepOf: (method) => (method === 'POST' ? 'submit' : 'poll'),
    error: (detail) => ({ title: 'Error', detail }),
    ended: (output) => replicateWords({ status: 'succeeded', output }),
    failed: (error) => replicateWords({ status: 'failed', error }),
    strange: replicateWords({ status: 'pondering' }),
    isDurable: true,
  },

  fal: {
    model: 'flux',
    input,
    async start(typicalMs) {
      const fake = await startFal()
      const last = () => fake.ledger.at(-1)!
      return {
        secrets: [falKey, falKey.split(':')[1]!],
        taken: () => fake.ledger.length,
        fetch: fake.fetch,
        connect: (fetch) =>
          falProvider({
            token: falKey,
            models: {
              flux: { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003, typicalMs },
            },
            fetch,
          }),
        forget: () => fake.ledger.forEach(({ requestId }) => fake.forget(requestId)),
        webhook: {
          finish: () => void (last().pollsLeft = 0),
          address: () => last().webhook,
          signed: (sentAt) => fake.webhookOf(last(), sentAt),
        },
        close: fake.close,
      }
    },
    stepOf(method, { hostname, pathname }) {
      if (method === 'POST') return 'submit'
      if (method !== 'GET' || hostname !== 'queue.fal.run') return 'other'
      return pathname.endsWith('/status') ? 'poll' : 'result'
    },
    error: (detail) => ({ detail }),
    ended: (url) => ({ step: 'result', json: () => (url === undefined ? {} : { images: [{ url }] }) }),
    failed: (error) => ({
      step: 'poll',
      json: () => ({ status: 'COMPLETED', error, error_type: 'runner_error' }),
    }),
    strange: { step: 'poll', json: () => ({ status: 'PONDERING' }) },
    isDurable: true,
  },

  bfl: {
    model: 'flux',
    input,
    async start(typicalMs) {
      const fake = await startBfl()
      fake.server.pendingPolls = 1
      const last = () => fake.ledger.at(-1)!
      return {
        secrets: [bflKey, bflSecret],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          bflProvider({
            token: bflKey,
            baseUrl: fake.baseUrl,
            models: { flux: { endpoint: 'flux-2-pro', outputKind: 'image', typicalMs } },
            webhookSecret: bflSecret,
            fetch,
          }),
        forget: () => fake.ledger.forEach((task) => Object.assign(task, { id: 'forgotten' })),
        webhook: {
          finish: () => void (last().polls = fake.server.pendingPolls),
          address: () => last().asked.body['webhook_url'] as string | undefined,
          signed: (sentAt) => fake.webhookOf(last().id, { sentAt }),
        },
        close: fake.close,
      }
    },
    stepOf: (method) => (method === 'POST' ? 'submit' : 'poll'),
    error: (detail) => ({ detail }),
    ended: (sample) => ({ step: 'poll', json: () => ({ id: 'b', status: 'Ready', result: { sample } }) }),
    failed: (details) => ({ step: 'poll', json: () => ({ id: 'b', status: 'Error', details }) }),
    strange: { step: 'poll', json: () => ({ id: 'b', status: 'Pondering' }) },
    isDurable: true,
  },

  runway: {
    model: 'film',
    input,
    async start(typicalMs) {
      const runway = await startRunway()
      return {
        secrets: [runwayKey],
        taken: () => runway.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          runwayProvider({
            token: runwayKey,
            baseUrl: runway.baseUrl,
            models: { film: { model: 'gen4.5', outputKind: 'video', typicalMs } },
            fetch,
          }),
        forget: runway.forget,
        close: runway.close,
      }
    },
    stepOf(method) {
      if (method === 'POST') return 'submit'
      return method === 'GET' ? 'poll' : 'other'
    },
    error: (error) => ({ error, docUrl: 'https://docs.dev.runwayml.com/api' }),
    ended: (url) => ({
      step: 'poll',
      json: () => ({
        id: 't',
        status: 'SUCCEEDED',
        output: url === undefined ? [] : [url],
        cost: { credits: 25 },
      }),
    }),
    failed: (failure) => ({
      step: 'poll',
      json: () => ({ id: 't', status: 'FAILED', failure, failureCode: 'INTERNAL', cost: { credits: 0 } }),
    }),
    strange: { step: 'poll', json: () => ({ id: 't', status: 'PONDERING' }) },
    isDurable: true,
  },

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
    start: () => startGoogle('omni'),
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

  openai: {
    ...openaiWords,
    model: 'gpt-image-2',
    input,
    async start() {
      const fake = await openaiFake()
      return {
        secrets: [openaiKey],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          openaiProvider({
            token: openaiKey,
            baseUrl: fake.baseUrl,
            models: { 'gpt-image-2': { price: 0.04 } },
            fetch,
          }),
        close: fake.close,
      }
    },
    knowsNonsense: true,
  },

  'openai-compatible': {
    ...openaiWords,
    model: 'gpt-image-2',
    input,
    async start() {
      const fake = await openaiFake()
      return {
        secrets: [openaiKey],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          openaiCompatible({
            token: openaiKey,
            baseUrl: fake.baseUrl,
            models: { 'gpt-image-2': { price: 0.04 } },
            fetch,
          }),
        close: fake.close,
      }
    },
    knowsNonsense: true,
  },

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

  a1111: {
    model: 'sdxl',
    input,
    async start() {
      const fake = await fakeA1111()
      return {
        secrets: [a1111Login.split(':')[1]!, btoa(a1111Login)],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          a1111Provider({
            login: a1111Login,
            baseUrl: fake.origin,
            models: { sdxl: { price: 0.04 } },
            fetch,
          }),
        close: fake.close,
      }
    },
    stepOf: () => 'submit',
    error: (detail) => ({ detail }),
    ended: (image) => ({
      step: 'submit',
      json: () => ({ images: image === undefined ? [] : [image], parameters: {}, info: '' }),
    }),
    isDurable: false,
    knowsNonsense: true,
  },

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
  },

  'ark image': {
    ...openaiWords,
    model: 'picture',
    input,
    start: startArk,
    error: arkError,
    knowsNonsense: true,
  },

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

  comfyui: {
    model: 'workflow',
    input,
    async start(typicalMs = 1) {
      const fake = await fakeComfyui({ runMs: typicalMs })
      const token = 'tok_3cret_of_the_proxy'
      return {
        secrets: [token],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          comfyuiProvider({
            token,
            baseUrl: fake.url,
            models: {
              workflow: {
                workflow: textToImage,
                outputKind: 'image',
                inputs: { prompt: { node: '6', field: 'text' } },
                price: 0.04,
              },
            },
            submitGraceMs: 5,
            fetch,
          }),
        forget: fake.restart,
        close: fake.close,
      }
    },
    stepOf(method, { pathname }) {
      if (method === 'POST') return pathname === '/prompt' ? 'submit' : 'other'
      if (pathname === '/queue') return 'poll'
      return pathname.startsWith('/history/') ? 'result' : 'other'
    },
    error: (message) => ({ error: { type: 'invalid_prompt', message, details: '' }, node_errors: {} }),
    ended: (filename) =>
      comfyuiWords({
        outputs:
          filename === undefined ? {} : { '9': { images: [{ filename, subfolder: '', type: 'output' }] } },
        status: comfyuiSuccess,
      }),
    failed: (exception_message) =>
      comfyuiWords({
        status: {
          status_str: 'error',
          completed: false,
          messages: [['execution_error', { node_id: '3', node_type: 'KSampler', exception_message }]],
        },
      }),
    strange: comfyuiWords({ status: { ...comfyuiSuccess, status_str: 'pondering' } }),
    isDurable: true,
    finds: true,
  },

  'ai-sdk video': {
    ...veoWords,
    model: 'veo',
    input,
    start: startAiSdk,
  },

  'ai-sdk image': {
    ...openaiWords,
    model: 'gpt-image-1',
    input,
    start: startAiSdk,
  },
}

/** The providers of Google's three APIs. */
const googleProviders = {
  veo: (options) =>
    veoProvider({
      ...options,
      models: { veo: { model: 'veo-3.1-generate-preview', price: 0.4, typicalMs: 1000 } },
    }),
  omni: (options) =>
    geminiOmniProvider({
      ...options,
      models: { omni: { model: 'gemini-omni-1.2-flash', price: 0.1, typicalMs: 1000 } },
    }),
  nano: (options) =>
    googleProvider({ ...options, models: { nano: { model: 'gemini-3-pro-image', price: 0.04 } } }),
} satisfies Record<string, (options: Parameters<typeof veoProvider>[0]) => Provider>

async function startGoogle(model: keyof typeof googleProviders): Promise<HostedVendor> {
  const fake = await googleFake()
  return {
    secrets: [googleKey],
    taken: () => fake.ledger.length,
    fetch: plainFetch,
    connect: (fetch) =>
      googleProviders[model]({ token: googleKey, baseUrl: fake.baseUrl, models: {}, fetch, fetchFile }),
    forget: fake.forget,
    close: fake.close,
  }
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
    close: fake.close,
  }
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

async function startAiSdk(): Promise<HostedVendor> {
  const [google, openai] = await Promise.all([vendorServer(aiSdkGoogle), vendorServer(aiSdkOpenai)])
  return {
    secrets: [aiSdkKey],
    taken: () => google.ledger.length + openai.ledger.length,
    fetch: plainFetch,
    connect: (given) => {
      const fetch = vendorFetch(given)
      const baseURL = `${google.origin}/v1beta`
      const veo = createGoogle({ apiKey: aiSdkKey, baseURL, fetch }).video('veo-3.1-generate-preview')
      const painter = createOpenAI({ apiKey: aiSdkKey, baseURL: `${openai.origin}/v1`, fetch })
      return aiSdkProvider({
        models: { veo, 'gpt-image-1': painter.image('gpt-image-1') },
        secrets: [aiSdkKey],
        fetchFile,
      })
    },
    forget: () => google.ledger.forEach((task) => Object.assign(task, { id: 'forgotten' })),
    async close() {
      await Promise.all([google.close(), openai.close()])
    },
  }
}
