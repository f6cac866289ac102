import type { Provider } from '@genmount/core'
import { a1111Provider } from '@genmount/provider-a1111'
import { arkProvider } from '@genmount/provider-ark'
import { bflProvider } from '@genmount/provider-bfl'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import { klingProvider } from '@genmount/provider-kling'
import { openaiProvider } from '@genmount/provider-openai'
import { openaiCompatible } from '@genmount/provider-openai/compatible'
import { openaiResponsesProvider } from '@genmount/provider-openai/responses'
import { openaiVideosProvider } from '@genmount/provider-openai/videos'
import { replicateProvider } from '@genmount/provider-replicate'
import { runpodProvider } from '@genmount/provider-runpod'
import { runwayProvider } from '@genmount/provider-runway'
import { xaiProvider } from '@genmount/provider-xai'
import { textToImage } from '../providers/comfyui/comfyui-shapes.ts'
import { sdkProvider } from './sdk-provider.ts'
import { media } from './answer-file.ts'

export type Fetch = typeof globalThis.fetch

type Kind = 'image' | 'video'

/** A request of a provider. */
export interface Asked {
  readonly method: string
  readonly url: URL
}

/** A vendor whose answers are collected, and the provider that reads them. */
export interface AnsweringVendor {
  /** The provider, whose models are `{vendor}-image` and `{vendor}-video`. */
  provider(fetch: Fetch): Provider
  /** The kinds of models. The first is that of most answers. */
  readonly kinds: readonly Kind[]
  /** What a request is for. @default 'result' */
  stepOf?(asked: Asked): string
  /** What the vendor answers to the other requests of a job, by their step. @default no other requests */
  usual?(step: string, asked: Asked): Response
  /** What is around the answer. @default nothing */
  wrap?(json: unknown, asked: Asked): unknown
  /** The input beside the prompt. @default none */
  readonly input?: object
}

const token = 'key-id:0123456789abcdef-secret'
const origin = 'http://vendor.test'
const file = (url: URL): Response =>
  new Response(/\.mp4|film/.test(url.href) ? media.mp4 : media.png, { status: 200 })

/** A POST starts the task, everything else reads it. */
const submitAndPoll = ({ method }: Asked): string => (method === 'POST' ? 'submit' : 'result')

const comfyuiModel = {
  workflow: textToImage,
  inputs: { prompt: { node: '6', field: 'text' } },
  price: 0.02,
}
const openaiPrice = { textInput: 5, imageInput: 8, imageOutput: 30 }
const geminiInput = { duration: 8, resolution: '720p' }

/** All that is known of a vendor. */
interface Facts extends Omit<AnsweringVendor, 'provider' | 'kinds'> {
  readonly make: (options: never) => Provider
  /** The options of the provider beside `fetch` and `models`. @default { token } */
  readonly options?: object
  /** The model of each kind. The first is that of most answers. */
  readonly models: Readonly<Partial<Record<Kind, object>>>
}

const facts: Readonly<Record<string, Facts>> = {
  openai: { make: openaiProvider, models: { image: { model: 'gpt-image-2', price: openaiPrice } } },

  'openai-compatible': {
    make: openaiCompatible,
    options: { baseUrl: `${origin}/v1`, fetchFile: fetchLinked },
    models: { image: { model: 'sd-1.5', price: 0.01 } },
    stepOf: ({ method }) => (method === 'POST' ? 'result' : 'file'),
    usual: (_step, { url }) => file(url),
  },

  'openai-responses': {
    make: openaiResponsesProvider,
    options: { token, fetchFile: fetchLinked },
    models: {
      image: {
        model: 'gpt-image-2',
        price: openaiPrice,
        caller: { model: 'gpt-5.6-luna', price: { input: 1, output: 6 } },
      },
    },
    stepOf: submitAndPoll,
    usual: () => Response.json({ id: 'resp_1', status: 'queued' }),
  },

  'openai-videos': {
    make: openaiVideosProvider,
    options: { baseUrl: `${origin}/v1`, fetchFile: fetchFilm },
    models: { video: { model: 'wan', price: 0.1 } },
    stepOf({ method, url: { pathname } }) {
      if (method === 'POST') return 'submit'
      return pathname.endsWith('/content') ? 'file' : 'result'
    },
    usual: (step) =>
      step === 'submit' ? Response.json({ id: 'video_1', status: 'queued' }) : new Response(media.mp4),
  },

  xai: {
    make: xaiProvider,
    models: {
      image: { model: 'grok-imagine-image', outputKind: 'image', price: 0.02 },
      video: { model: 'grok-imagine-video', outputKind: 'video', price: 0.05 },
    },
    stepOf: ({ method, url }) => (method === 'POST' && /\/videos\//.test(url.pathname) ? 'submit' : 'result'),
    usual: () => Response.json({ request_id: 'r1' }),
  },

  ark: {
    make: arkProvider,
    models: {
      image: { model: 'seedream-4-5-251128', outputKind: 'image', price: 0.04 },
      video: { model: 'seedance-1-5-pro-251215', outputKind: 'video', price: 2.4 },
    },
    stepOf: ({ method, url }) => (method === 'POST' && /tasks/.test(url.pathname) ? 'submit' : 'result'),
    usual: () => Response.json({ id: 'cgt-1' }),
  },

  bfl: {
    make: bflProvider,
    models: {
      image: { endpoint: 'flux-2-pro', outputKind: 'image' },
      video: { endpoint: 'flux-3-video', outputKind: 'video' },
    },
    stepOf: submitAndPoll,
    usual: () => Response.json({ id: 't1', polling_url: 'https://api.bfl.ai/v1/get_result?id=t1', cost: 3 }),
  },

  kling: {
    make: klingProvider,
    models: {
      video: { model: 'kling-3.0-turbo', outputKind: 'video' },
      image: { model: 'kling-v3', outputKind: 'image' },
    },
    stepOf: submitAndPoll,
    usual: () =>
      Response.json({ code: 0, data: { id: '893605946402811985', task_id: '893605946402811985' } }),
  },

  runpod: {
    make: runpodProvider,
    models: {
      image: { endpoint: 'painter', outputKind: 'image', price: 0.02 },
      video: { endpoint: 'filmer', outputKind: 'video', price: 0.1, priceUnit: 'second' },
    },
    stepOf: submitAndPoll,
    usual: () => Response.json({ id: '60902e6c-08a1-426e-9cb9-9eaec90f5e2b-u1', status: 'IN_QUEUE' }),
  },

  runway: {
    make: runwayProvider,
    models: {
      video: { model: 'gen4.5', outputKind: 'video', price: 0.01 },
      image: { model: 'gen4_image', outputKind: 'image', price: 0.01 },
    },
    stepOf: submitAndPoll,
    usual: () => Response.json({ id: '17f20503-6c24-4c16-946b-35dbbce2af2f' }),
  },

  replicate: {
    make: replicateProvider,
    models: {
      image: { model: 'acme/painter', outputKind: 'image', price: 0.003, priceUnit: 'output' },
      video: { model: 'acme/filmer', outputKind: 'video', price: 0.001 },
    },
    stepOf: submitAndPoll,
    usual: () => Response.json({ id: 'p1', status: 'starting' }),
  },

  fal: {
    make: falProvider,
    models: {
      image: { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003 },
      video: { endpoint: 'fal-ai/kling-video', outputKind: 'video', price: 0.07 },
    },
    stepOf: ({ method, url }) =>
      method === 'POST' ? 'submit' : url.pathname.endsWith('/status') ? 'status' : 'result',
    usual: (step) =>
      Response.json(step === 'submit' ? { request_id: 'r1', status: 'IN_QUEUE' } : { status: 'COMPLETED' }),
  },

  a1111: { make: a1111Provider, options: { baseUrl: origin }, models: { image: { price: 0.02 } } },

  google: {
    make: googleProvider,
    options: { token, fetchFile: fetchLinked },
    models: {
      image: { model: 'gemini-3-pro-image', price: { input: 0.5, textOutput: 3, imageOutput: 60 } },
    },
  },

  'gemini-omni': {
    make: geminiOmniProvider,
    options: { token, fetchFile: fetchFilm },
    models: {
      video: { model: 'gemini-omni-1.2-flash', price: { input: 1, textOutput: 3, videoOutput: 20 } },
    },
    stepOf({ method, url: { pathname } }) {
      if (method === 'POST') return 'submit'
      return /\/interactions\//.test(pathname) ? 'result' : 'file'
    },
    usual(step, { url }) {
      if (step === 'submit') return Response.json({ id: 'v1_a', status: 'in_progress' })
      return /download/.test(url.href) ? new Response(media.mp4) : Response.json({ state: 'ACTIVE' })
    },
    input: geminiInput,
  },

  comfyui: {
    make: comfyuiProvider,
    options: { baseUrl: origin, submitGraceMs: 5 },
    models: {
      image: { ...comfyuiModel, outputKind: 'image' },
      video: { ...comfyuiModel, outputKind: 'video' },
    },
    stepOf({ method, url: { pathname } }) {
      if (method === 'POST') return 'submit'
      return /history/.test(pathname) ? 'result' : pathname.slice(1)
    },
    usual(step, { url }) {
      if (step === 'queue') return Response.json({ queue_running: [], queue_pending: [] })
      if (step !== 'view') return Response.json({})
      const name = url.searchParams.get('filename') ?? ''
      if (name.startsWith('gone')) return new Response(null, { status: 404 })
      return new Response(
        name.startsWith('empty') ? '' : /\.(?:mp4|webm)$/.test(name) ? media.mp4 : media.png,
      )
    },
    wrap: (json, { url }) => ({ [url.pathname.split('/').at(-1)!]: json }),
  },
}

export const vendors: Readonly<Record<string, AnsweringVendor>> = {
  ...Object.fromEntries(
    Object.entries(facts).map(([name, { make, options = { token }, models, ...vendor }]) => {
      const named = Object.entries(models).map(([kind, model]) => [`${name}-${kind}`, model])
      const own = { ...options, models: Object.fromEntries(named) }
      const provider = (fetch: Fetch) => make({ ...own, fetch } as never)
      return [name, { ...vendor, kinds: Object.keys(models) as Kind[], provider }]
    }),
  ),
  'ai-sdk': { kinds: ['image', 'video'], provider: sdkProvider },
}

/** What is behind the links in the texts of models: a picture, or a page. */
async function fetchLinked(url: string) {
  const body = file(new URL(url)).body!
  return { body: /terms|policy/.test(url) ? new Response('<!doctype html><title>Terms</title>').body! : body }
}

async function fetchFilm() {
  const body = new Blob([media.mp4]).stream()
  return { url: '', contentType: undefined, contentLength: undefined, body, bytes: async () => media.mp4 }
}
