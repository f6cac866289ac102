import { guardedFetch } from '@genmount/guarded-fetch'
import {
  openaiCompatible,
  type OpenaiCompatibleModel,
  type OpenaiCompatibleOptions,
} from '@genmount/provider-openai/compatible'
import { fakeFile } from '@genmount/testing'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { jobRuns } from '../service-world.ts'
import { vendorServer, type VendorReply, type VendorRequest } from '../vendor-server.ts'
import { token } from '../openai/openai-words.ts'
import { openaiFake } from '../openai/openai-fake.ts'

// Servers with OpenAI's interface for images that are not OpenAI's: what they answer, and what they want to be sent.

const png = fakeFile('image').bytes
const dataUri = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
const fetchFile: NonNullable<OpenaiCompatibleOptions['fetchFile']> = (url, limits) =>
  guardedFetch(url, { ...limits, allowAddress: (address) => address === '127.0.0.1' })

async function serverThat(answer: (request: VendorRequest) => VendorReply) {
  const server = await vendorServer(answer)
  onTestFinished(() => server.close())
  return server
}

async function jobAt(
  origin: string,
  input: object,
  { model = {}, ...options }: Partial<OpenaiCompatibleOptions> & { model?: OpenaiCompatibleModel } = {},
) {
  const models = { it: { model: 'sd-1.5', price: 0.01, ...model } }
  const runs = jobRuns(openaiCompatible({ baseUrl: `${origin}/v1`, models, fetchFile, ...options }))
  onTestFinished(async () => void (await runs.close()))
  const job = await runs.finished(await runs.create('it', { prompt: 'a fox', ...input }))
  return { job, outputs: job.outputs.every(({ url }) => url === undefined) ? await runs.outputs(job) : [] }
}

const file: VendorReply = { headers: { 'content-type': 'image/png' }, body: png }

/**
 * mudler/LocalAI core/http/endpoints/openai/image.go at 82c191a (2026-08-22): without `response_format: b64_json` the
 * answer has `url`, below the server's own address, and a usage in other words (trypromptly/LLMStack#81).
 */
test('openaiCompatible fetches an image at a URL of the server itself, also at a private address', async () => {
  const { origin } = await serverThat(({ method, url, headers }) => {
    if (method === 'GET') return url.pathname === '/generated-images/1.png' ? file : { status: 404 }
    return {
      json: {
        created: 1,
        id: 'i1',
        data: [{ embedding: null, index: 0, url: `http://${headers['host']}/generated-images/1.png` }],
        usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
      },
    }
  })
  const { job, outputs } = await jobAt(origin, {})
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.01 })
  expect(outputs).toEqual([png])
})

test('openaiCompatible repeats the download of an image that breaks off, and the image is made once', async () => {
  const server = await serverThat(({ method }) =>
    method === 'GET' ? file : { json: { data: [{ url: '/generated-images/1.png' }] } },
  )
  server.trouble('/generated-images', { instead: 'reset' }, { instead: { status: 503 } })
  const { job, outputs } = await jobAt(server.origin, {})
  expect([job.phase, outputs.length]).toEqual(['completed', 1])
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

/**
 * BerriAI/litellm passes on the answer of the vendor behind it. For dall-e and most other models, the answer has a
 * public `url`.
 */
test('openaiCompatible keeps public https URLs as links and stores images of data URIs', async () => {
  const url = 'https://files.example.com/fox.png'
  const { origin } = await serverThat(() => ({ json: { data: [{ url, b64_json: null }, { url: dataUri }] } }))
  const { job } = await jobAt(origin, { num_outputs: 2 })
  expect(job).toMatchObject({ phase: 'completed', costUsd: 0.02, outputs: [{ url }, {}] })
})

test('openaiCompatible fetches an http image at another origin without the key', async () => {
  const elsewhere = await serverThat(() => file)
  const { origin } = await serverThat(() => ({ json: { data: [{ url: `${elsewhere.origin}/1.png` }] } }))
  const { job, outputs } = await jobAt(origin, {})
  expect([job.phase, outputs.length]).toEqual(['completed', 1])
  expect(elsewhere.requests[0]?.headers).not.toHaveProperty('authorization')
})

test('a job of openaiCompatible whose image cannot be fetched fails as output_invalid', async () => {
  const { origin } = await serverThat(({ method }) =>
    method === 'GET' ? { status: 404 } : { json: { data: [{ url: '/gone.png' }], usage: null } },
  )
  const { job } = await jobAt(origin, {})
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' } })
})

/**
 * https://docs.vllm.ai/projects/vllm-omni/en/latest/serving/image_edit_api (read in November 2026), LocalAI
 * core/http/endpoints/openai/inpainting.go and llm-d/llm-d-router#2561: edits are forms, and a JSON body is refused.
 */
test('openaiCompatible sends pictures as files of a form, as the SDK of OpenAI does', async () => {
  const forms: FormData[] = []
  const server = await vendorServer(async ({ headers, body }) => {
    const type = headers['content-type'] ?? ''
    if (!type.startsWith('multipart/form-data')) return { status: 422, json: { detail: 'Field required' } }
    forms.push(await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData())
    return { json: { data: [{ b64_json: Buffer.from(png).toString('base64') }] } }
  })
  onTestFinished(() => server.close())
  for (const image of [dataUri, [dataUri, dataUri]]) {
    const { job } = await jobAt(server.origin, {
      image,
      mask: dataUri,
      resolution: '512x512',
      num_outputs: 1,
    })
    expect(job.phase).toBe('completed')
  }
  expect(server.requests.map(({ url }) => url.pathname)).toEqual(['/v1/images/edits', '/v1/images/edits'])
  const [one, several] = forms.map((form) => [...form.keys()].toSorted())
  expect(one).toEqual(['image', 'mask', 'model', 'n', 'prompt', 'size'])
  expect(several).toEqual(['image[]', 'image[]', 'mask', 'model', 'n', 'prompt', 'size'])
  const picture = forms[0]!.get('image') as File
  expect([picture.type, new Uint8Array(await picture.arrayBuffer())]).toEqual(['image/png', png])
})

test('OpenAI accepts the edit form of openaiCompatible', async () => {
  const fake = await openaiFake()
  onTestFinished(() => fake.close())
  const options = { token, edits: 'form' as const, model: { model: 'gpt-image-2' } }
  const { job } = await jobAt(fake.origin, { image: [dataUri, dataUri] }, options)
  expect(job.phase).toBe('completed')
  expect(fake.ledger).toMatchObject([{ path: '/v1/images/edits', pictures: 2 }])
})

test('a job of openaiCompatible whose picture cannot be fetched fails without a request and costs nothing', async () => {
  const server = await serverThat(() => ({ json: {} }))
  const { job } = await jobAt(server.origin, { image: 'https://no-such-host.invalid/fox.png' })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'input_fetch_failed' }, costUsd: 0 })
  expect(server.requests).toHaveLength(0)
})

test('providerOptions of openaiCompatible are sent with every request, and clients cannot change them', async () => {
  const bodies: unknown[] = []
  const { origin } = await serverThat(({ body }) => {
    bodies.push(JSON.parse(body.toString()))
    return { json: { data: [{ b64_json: Buffer.from(png).toString('base64') }] } }
  })
  const model: OpenaiCompatibleModel = {
    providerOptions: { response_format: 'b64_json', size: '512x512', num_inference_steps: 20 },
    fields: { seed: 'seed', guidance: 'guidance_scale' },
    inputs: { quality: v.optional(v.picklist(['low', 'high'])) },
    allowedProviderOptions: ['layers'],
  }
  await jobAt(origin, { quality: 'low', seed: 7, guidance: 4, provider_options: { layers: 2 } }, { model })
  expect(bodies).toEqual([
    {
      prompt: 'a fox',
      model: 'sd-1.5',
      quality: 'low',
      seed: 7,
      guidance_scale: 4,
      layers: 2,
      response_format: 'b64_json',
      size: '512x512',
      num_inference_steps: 20,
    },
  ])
  await expect(jobAt(origin, { resolution: '1x1' }, { model })).rejects.toThrow(
    'resolution is unknown; this model accepts',
  )
})
