import { expect, test } from 'vitest'
import type { Price, Provider, ProviderReport } from '@genmount/core'
import { aiSdkProvider, type CountedResult } from '@genmount/provider-ai-sdk'
import { arkProvider } from '@genmount/provider-ark'
import { bflProvider } from '@genmount/provider-bfl'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { googleProvider } from '@genmount/provider-google'
import { replicateProvider } from '@genmount/provider-replicate'
import { runpodProvider } from '@genmount/provider-runpod'
import { runwayProvider } from '@genmount/provider-runway'
import { klingProvider } from '@genmount/provider-kling'
import { xaiProvider } from '@genmount/provider-xai'
import { media } from '../answers/answer-file.ts'
import { textToImage } from './comfyui/comfyui-shapes.ts'

/*
 * Vendors count what they charge for, and at times leave the number out or write something else in its place. Each
 * provider is polled with such numbers. Its price is a function, as an app may write it.
 */

const { signal } = new AbortController()
const film = 'https://cdn.example.com/film.mp4'
const png = Buffer.from(media.png).toString('base64')
const token = 'id:secret'
const task = {
  jobId: 'job',
  model: 'it',
  input: { prompt: 'a fox' },
  clientToken: '01a2040b-4e52-40c1-a3cf-176bf5490687',
}
const running = { ...task, handle: 'task-1' }
type Fetch = typeof globalThis.fetch

const answering =
  (json: unknown, headers: Record<string, string> = {}): Fetch =>
  async () =>
    Response.json(json, { headers })

const poll = (provider: Provider, handle: typeof running.handle | object = running.handle) =>
  provider.poll({ ...running, handle: handle as string }, { signal })

/** A provider that gets this in the place of the number of units. */
type Vendor = (price: Price, count: unknown) => Promise<ProviderReport>

const outputKind = 'video' as const
const vendors: Readonly<Record<string, Vendor>> = {
  ark: (price, count) =>
    poll(
      arkProvider({
        token,
        models: { it: { model: 'seedance', outputKind, price } },
        fetch: answering({
          status: 'succeeded',
          content: { video_url: film },
          usage: {
            completion_tokens: typeof count === 'number' ? count * 1e6 : count === '12' ? '12000000' : count,
          },
        }),
      }),
    ),
  replicate: (price, count) =>
    poll(
      replicateProvider({
        token,
        models: { it: { model: 'acme/filmer', outputKind, price } },
        fetch: answering({
          id: 'task-1',
          status: 'succeeded',
          output: film,
          metrics: { predict_time: count },
        }),
      }),
    ),
  xai: (price, count) =>
    poll(
      xaiProvider({
        token,
        models: { it: { model: 'grok-imagine-video', outputKind, price } },
        fetch: answering({ status: 'done', video: { url: film, duration: count } }),
      }),
    ),
  'bfl, at the end': (price, count) =>
    poll(
      bflProvider({
        token,
        models: { it: { endpoint: 'flux-3-video', outputKind, price } },
        fetch: answering({ id: 'task-1', status: 'Ready', cost: count, result: { sample: film } }),
      }),
      { id: 'task-1', polling_url: 'https://api.bfl.ai/v1/get_result?id=task-1' },
    ),
  'bfl, at the submit': async (price, count) => {
    const answers = [
      { id: 'task-1', polling_url: 'https://api.bfl.ai/v1/get_result?id=task-1', cost: count },
      { id: 'task-1', status: 'Ready', cost: 'unknown', result: { sample: film } },
    ]
    const provider = bflProvider({
      token,
      models: { it: { endpoint: 'flux-3-video', outputKind, price } },
      fetch: async () => Response.json(answers.shift()),
    })
    const begun = await provider.submit(task, { signal })
    return begun.state === 'running' ? poll(provider, begun.handle as object) : begun
  },
  runpod: (price, count) =>
    poll(
      runpodProvider({
        token,
        models: { it: { endpoint: 'filmer', outputKind, price, priceUnit: 'second' } },
        fetch: answering({
          id: 'task-1',
          status: 'COMPLETED',
          executionTime: typeof count === 'number' ? count * 1000 : count === '12' ? '12000' : count,
          output: { video_url: film },
        }),
      }),
      { endpoint: 'filmer', id: 'task-1' },
    ),
  runway: (price, count) =>
    poll(
      runwayProvider({
        token,
        models: { it: { model: 'gen4.5', outputKind, price } },
        fetch: answering({ id: 'task-1', status: 'SUCCEEDED', output: [film], cost: { credits: count } }),
      }),
      '17f20503-6c24-4c16-946b-35dbbce2af2f',
    ),
  kling: (price, count) =>
    poll(
      klingProvider({
        token,
        models: { it: { model: 'kling-3.0', outputKind, price } },
        fetch: answering({
          code: 0,
          data: [
            {
              id: '17',
              status: 'succeeded',
              outputs: [{ type: 'video', url: film }],
              billing: [{ charge_type: 'unit', package_type: 'video', amount: count }],
            },
          ],
        }),
      }),
      '17',
    ),
  'kling, at its older endpoints': (price, count) =>
    poll(
      klingProvider({
        token,
        models: { it: { model: 'kling-v3', outputKind, price } },
        fetch: answering({
          code: 0,
          data: {
            task_id: '17',
            task_status: 'succeed',
            task_result: { videos: [{ url: film }] },
            final_unit_deduction: count,
          },
        }),
      }),
      '/v1/videos/text2video/17',
    ),
  fal: async (price, count) => {
    const provider = falProvider({
      token,
      models: { it: { endpoint: 'fal-ai/kling-video', outputKind, price, priceUnit: 'second' } },
      fetch: async (input, { method = 'GET' } = {}) => {
        const { pathname } = new URL(input instanceof Request ? input.url : input)
        if (method === 'POST') return Response.json({ request_id: 'r1', status: 'IN_QUEUE' })
        if (pathname.endsWith('/status')) return Response.json({ status: 'COMPLETED' })
        const units =
          count === undefined
            ? {}
            : { 'x-fal-billable-units': typeof count === 'string' ? count : JSON.stringify(count) }
        return Response.json({ video: { url: film } }, { headers: units })
      },
    })
    const begun = await provider.submit(task, { signal })
    return begun.state === 'running' ? poll(provider, begun.handle as object) : begun
  },
  comfyui: (price, count) => {
    const messages = [
      ['execution_start', { timestamp: 0 }],
      [
        'execution_success',
        { timestamp: typeof count === 'number' ? count * 1000 : count === '12' ? '12000' : count },
      ],
    ]
    const outputs = { 9: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } }
    return poll(
      comfyuiProvider({
        baseUrl: 'http://vendor.test',
        models: {
          it: {
            workflow: textToImage,
            inputs: { prompt: { node: '6', field: 'text' } },
            outputKind: 'image',
            price,
            priceUnit: 'second',
          },
        },
        fetch: async (input) => {
          const { pathname } = new URL(input instanceof Request ? input.url : input)
          if (pathname === '/view') return new Response(media.png)
          if (pathname === '/queue') return Response.json({ queue_running: [], queue_pending: [] })
          return Response.json({ [task.clientToken]: { outputs, status: { messages } } })
        },
      }),
    )
  },
  'ai-sdk': (price, count) => {
    const model = {
      specificationVersion: 'v4',
      provider: 'acme',
      modelId: 'painter',
      maxImagesPerCall: 1,
      doGenerate: async () => ({
        images: [png],
        warnings: [],
        response: { timestamp: new Date(0), modelId: 'painter', headers: undefined },
        providerMetadata: { acme: { images: [], units: count } },
      }),
    }
    const units = ({ providerMetadata }: CountedResult) => providerMetadata.acme.units
    const provider = aiSdkProvider({ models: { it: { model: model as never, price, units } } })
    return provider.submit(task, { signal })
  },
}

/** Twelve units; the same as a text; and what is no number of units. */
const uncounted = [undefined, null, '', 'many', 'NaN', '12 s', {}, [], [12], true, -12, '-12'] as const

test.each(Object.entries(vendors))(
  '%s: a price by units gets only numbers that the vendor has counted, and else the cost is unknown',
  async (_name, ask) => {
    const seen: number[] = []
    const price: Price = ({ units }) => {
      seen.push(units)
      return units > 10 ? 1 : 0.5
    }
    const costs = async (count: unknown) => {
      const report = await ask(price, count)
      expect(report.state, JSON.stringify(report)).toBe('succeeded')
      return 'costUsd' in report ? report.costUsd : undefined
    }
    expect(await costs(12)).toBe(1)
    expect(await costs('12')).toBe(1)
    expect(seen).toEqual([12, 12])
    for (const count of uncounted) expect([count, await costs(count)]).toEqual([count, undefined])
    expect(await ask(0, undefined)).toMatchObject({ state: 'succeeded', costUsd: 0 })
  },
)

/** The report of a provider that bills tokens, after an answer with this usage. */
const billing: Readonly<Record<string, (usage: unknown) => Promise<ProviderReport>>> = {
  google: (usageMetadata) => {
    const parts = [{ inlineData: { mimeType: 'image/png', data: png } }]
    const price = { input: 1, textOutput: 1, imageOutput: 1 }
    const fetch = answering({ candidates: [{ content: { parts } }], usageMetadata })
    return googleProvider({ token, models: { it: { model: 'gemini-image', price } }, fetch }).submit(task, {
      signal,
    })
  },
  'gemini-omni': (usage) => {
    const content = [{ type: 'video', data: Buffer.from(media.mp4).toString('base64') }]
    const steps = [{ type: 'model_output', content }]
    const price = { input: 1, textOutput: 1, videoOutput: 1 }
    const models = { it: { model: 'gemini-omni-1.2-flash', price } }
    const provider = geminiOmniProvider({
      token,
      models,
      fetch: answering({ status: 'completed', steps, usage }),
    })
    return poll(provider, { interaction: 'v1_a' })
  },
}

test.each([
  ['google', { promptTokenCount: 12 }, { promptTokenCount: '1e6', candidatesTokenCount: '2e6' }],
  ['gemini-omni', { total_input_tokens: 12 }, { total_input_tokens: '1e6', total_output_tokens: '2e6' }],
])(
  'the cost at %s is unknown when its usage does not count the tokens of the output',
  async (name, part, whole) => {
    for (const usage of [undefined, null, {}, [], 'many', part])
      expect([usage, await billing[name]!(usage)]).toMatchObject([
        usage,
        { state: 'succeeded', costUsd: undefined },
      ])
    expect(await billing[name]!(whole)).toMatchObject({ state: 'succeeded', costUsd: 3 })
  },
)
