import { expect, test } from 'vitest'
import { type Json, type Provider, taskIdOf } from '@genmount/core'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { comfyuiProvider } from '@genmount/provider-comfyui'
import { comfyApiProvider } from '@genmount/provider-comfyui/api-v2'
import { comfyRouterProvider } from '@genmount/provider-comfyui/router'
import { falProvider } from '@genmount/provider-fal'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { klingProvider } from '@genmount/provider-kling'
import { textToImage } from './comfyui/comfyui-shapes.ts'

/*
 * Operators find a job by the vendor's id, which is the handle or its text `id`. The last release had the id elsewhere in these
 * handles. Jobs that it has begun go on.
 */

const { signal } = new AbortController()
const id = '01a2040b-4e52-40c1-a3cf-176bf5490687'
const token = 'id:secret'
const outputKind = 'image' as const
const workflow = {
  outputKind,
  workflow: textToImage,
  inputs: { prompt: { node: '6', field: 'text' } },
  outputNodes: ['9'],
} as never
const queued = 'https://queue.fal.run/fal-ai/flux/requests'

type Fetch = typeof globalThis.fetch

/** The handle of the last release, that of this one, and an answer that says that the task still runs. */
interface Case {
  readonly older: Json
  readonly newer: Json
  readonly answer: unknown
  readonly provider: (fetch: Fetch) => Provider
}

const operation = { taskId: id, resolvedInputs: {} }
const durable = {
  specificationVersion: 'v4',
  provider: 'acme',
  modelId: 'film',
  maxVideosPerCall: 1,
  doGenerate: async () => ({}),
  doStart: async () => ({ operation }),
  doStatus: async () => ({ status: 'pending' }),
}

const cases: Readonly<Record<string, Case>> = {
  fal: {
    older: { request_id: id, status_url: `${queued}/${id}/status` },
    newer: { id, request_id: id, status_url: `${queued}/${id}/status` },
    answer: { status: 'IN_PROGRESS' },
    provider: (fetch) =>
      falProvider({ token, models: { it: { endpoint: 'fal-ai/flux', outputKind } }, fetch }),
  },
  ComfyUI: {
    older: { promptId: id, outputNodes: ['9'] },
    newer: { id, promptId: id, outputNodes: ['9'] },
    answer: { queue_running: [[0, id, {}, {}]], queue_pending: [] },
    provider: (fetch) =>
      comfyuiProvider({ baseUrl: 'http://127.0.0.1:8188', models: { it: workflow }, fetch } as never),
  },
  'Comfy’s API': {
    older: { job: id, outputNodes: ['9'] },
    newer: { id, job: id, outputNodes: ['9'] },
    answer: { id, status: 'in_progress' },
    provider: (fetch) => comfyApiProvider({ token, models: { it: workflow }, fetch } as never),
  },
  'the Comfy Router': {
    older: { model: 'bfl/flux', request_id: id },
    newer: { id, model: 'bfl/flux', request_id: id },
    answer: { status: 'IN_PROGRESS' },
    provider: (fetch) =>
      comfyRouterProvider({ token, models: { it: { model: 'bfl/flux', outputKind } }, fetch } as never),
  },
  'the older endpoints of Kling': {
    older: `/v1/images/generations/${id}`,
    newer: { id, path: '/v1/images/generations' },
    answer: { code: 0, data: { task_id: id, task_status: 'processing' } },
    provider: (fetch) => klingProvider({ token, models: { it: { model: 'kling-v3', outputKind } }, fetch }),
  },
  'Gemini Omni': {
    older: { interaction: 'v1_a' },
    newer: { id: 'v1_a', interaction: 'v1_a' },
    answer: { id: 'v1_a', status: 'in_progress' },
    provider: (fetch) =>
      geminiOmniProvider({ token, models: { it: { model: 'gemini-omni-1.2-flash' } }, fetch }),
  },
  'a model of the AI SDK': {
    older: { operation },
    newer: { id, operation },
    answer: {},
    provider: () => aiSdkProvider({ models: { it: { model: durable as never } } }),
  },
}

test.each(Object.entries(cases))(
  'a task of %s goes on with the handle of the last release, by the same request as with the handle of this one',
  async (_vendor, { older, newer, answer, provider }) => {
    const asked: string[] = []
    const own = provider(async (input) => {
      asked.push(input instanceof Request ? input.url : String(input))
      return Response.json(answer)
    })
    const task = { jobId: 'job', model: 'it', input: { prompt: 'a fox' }, clientToken: id }
    const reports = []
    for (const handle of [older, newer]) reports.push(await own.poll({ ...task, handle }, { signal }))
    expect(reports).toMatchObject([{ state: 'running' }, { state: 'running', handle: newer }])
    const half = asked.length / 2
    expect(asked.slice(0, half)).toEqual(asked.slice(half))
    expect(taskIdOf({ handle: newer })).toMatch(/^(v1_a|01a2040b-4e52-40c1-a3cf-176bf5490687)$/)
    await own.close?.()
  },
)

test.each([
  ['a text', 'films/1', 'films/1'],
  ['an id', { id: 'a', taskId: 'b' }, 'a'],
  ['the id of a task', { taskId: 'b' }, 'b'],
  ['the id of a request', { requestId: 'c' }, 'c'],
  ['the name of an operation', { operationName: 'models/veo/operations/d' }, 'models/veo/operations/d'],
  ['a link to a request', { responseUrl: 'https://queue.fal.run/acme/film/requests/e', submitUrl: 'x' }, 'e'],
  ['a link to a prediction', { getUrl: 'https://api.replicate.com/v1/predictions/f' }, 'f'],
  ['a number', 1, undefined],
  ['something else', { task: 'g' }, undefined],
])(
  'a job of the AI SDK whose operation is %s is found by the vendor’s id',
  async (_what, started, expected) => {
    const model = { ...durable, doStart: async () => ({ operation: started }) }
    const provider = aiSdkProvider({ models: { it: { model: model as never } } })
    const task = { jobId: 'job', model: 'it', input: { prompt: 'a fox' }, clientToken: id }
    const report = await provider.submit(task, { signal })
    expect(report).toMatchObject({ state: 'running', handle: { operation: started } })
    expect(report.state === 'running' && taskIdOf(report)).toBe(expected)
  },
)
