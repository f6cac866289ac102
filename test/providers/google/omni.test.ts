import type { JsonObject } from '@genmount/core'
import { geminiOmniProvider } from '@genmount/provider-google/omni'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { always, type Trouble, type VendorReply } from '../vendor-server.ts'
import { invalidRequest, refusal } from './fake-interactions.ts'
import { invalidKey, token } from './google-fake.ts'
import { type GoogleRuns, googleRuns, omni } from './google-runs.ts'

let runs: GoogleRuns
beforeEach(async () => {
  runs = await googleRuns()
})
afterEach(() => runs.close())

const png = Buffer.from(fakeFile('image').bytes).toString('base64')
const dataUri = `data:image/png;base64,${png}`
const film = fakeFile('video').bytes
const part = { type: 'image', data: png, mime_type: 'image/png' }
/** What the fake's films and refusals cost, in whole millionths of a dollar. */
const filmUsd = Math.round(19 * 1.5 + (497 + 235) * 9 + 17_376 * 17.5) / 1e6
const refusalUsd = Math.round(14 * 1.5 + (15 + 76) * 9) / 1e6

const run = async (input: JsonObject) => runs.finished(await runs.create(omni, input))
const says = (json: unknown): Trouble => ({ instead: { json } })
const answers = (reply: VendorReply): Trouble => ({ instead: reply })
const ended = (status: string, rest: object = {}) => says({ id: 'v1', status, ...rest })
const made = (uri: string) => ({ steps: [{ type: 'model_output', content: [{ type: 'video', uri }] }] })

test('a Gemini Omni film is made in the background, fetched with the key, stored as bytes, and costs its tokens', async () => {
  const job = await run({ prompt: 'a fox runs' })
  expect(job).toMatchObject({ phase: 'completed', costUsd: filmUsd })
  expect(job.outputs).toMatchObject([{ contentType: 'video/mp4' }])
  expect(job.outputs[0]?.url).toBeUndefined()
  expect(await runs.outputs(job)).toEqual([film])
  expect(runs.fake.ledger).toEqual([
    {
      path: 'interactions',
      body: {
        model: omni,
        input: 'a fox runs',
        background: true,
        store: true,
        response_format: { type: 'video', delivery: 'uri', resolution: '720p', duration: '8s' },
        generation_config: { video_config: { task: 'text_to_video' } },
      },
    },
  ])
})

test('the fields of a Gemini Omni job become those of the Interactions API', async () => {
  const job = await run({
    prompt: 'a fox',
    image: dataUri,
    last_frame: dataUri,
    reference_images: [dataUri, dataUri],
    aspect_ratio: '9:16',
    resolution: '4k',
    duration: 15,
    num_outputs: 1,
    provider_options: { service_tier: 'flex', generation_config: { seed: 7 } },
  })
  expect(job.phase).toBe('completed')
  const declared =
    '[# Sources <FIRST_FRAME>@Image1 <LAST_FRAME>@Image2] [# References <IMAGE_REF_0>@Image3 <IMAGE_REF_1>@Image4]'
  expect(runs.fake.ledger[0]?.body).toEqual({
    service_tier: 'flex',
    model: omni,
    input: [part, part, part, part, { type: 'text', text: `${declared} a fox` }],
    background: true,
    store: true,
    response_format: {
      type: 'video',
      delivery: 'uri',
      aspect_ratio: '9:16',
      resolution: '4k',
      duration: '15s',
    },
    generation_config: { seed: 7 },
  })
})

test.each<[string, JsonObject, string, string | undefined]>([
  ['a first frame', { image: dataUri }, '[# Sources <FIRST_FRAME>@Image1] a fox', 'image_to_video'],
  [
    'first and last frame',
    { image: dataUri, last_frame: dataUri },
    '[# Sources <FIRST_FRAME>@Image1 <LAST_FRAME>@Image2] a fox',
    undefined,
  ],
  [
    'a reference',
    { reference_images: [dataUri] },
    '[# References <IMAGE_REF_0>@Image1] a fox',
    'reference_to_video',
  ],
  [
    'a first frame, and a reference that the prompt names',
    { image: dataUri, reference_images: [dataUri], prompt: '<IMAGE_REF_0> runs' },
    '[# Sources <FIRST_FRAME>@Image1] [# References <IMAGE_REF_0>@Image2] <IMAGE_REF_0> runs',
    undefined,
  ],
  [
    'a prompt that says it itself',
    { image: dataUri, prompt: '[# Sources <FIRST_FRAME>@Image1 <LAST_FRAME>@Image1] a fox runs in circles' },
    '[# Sources <FIRST_FRAME>@Image1 <LAST_FRAME>@Image1] a fox runs in circles',
    'image_to_video',
  ],
])('the prompt to Gemini Omni says what each picture is for: %s', async (_what, input, text, task) => {
  await run({ prompt: 'a fox', ...input })
  const body = runs.fake.ledger[0]?.body as {
    readonly input: readonly object[]
    readonly generation_config?: { readonly video_config: { readonly task: string } }
  }
  expect(body.input.at(-1)).toEqual({ type: 'text', text })
  expect(body.generation_config?.video_config.task).toBe(task)
})

const mp4 = Buffer.from(film).toString('base64')
const filmUri = `data:video/mp4;base64,${mp4}`

test('Gemini Omni continues a film of the client with the pictures that the prompt names', async () => {
  const input = { prompt: 'the fox runs on', video: filmUri, reference_images: [dataUri], duration: 5 }
  expect(await run(input)).toMatchObject({ phase: 'completed', costUsd: filmUsd })
  expect(runs.fake.ledger[0]?.body).toMatchObject({
    input: [
      { type: 'video', data: mp4, mime_type: 'video/mp4' },
      part,
      { type: 'text', text: '[# References <IMAGE_REF_0>@Image1] the fox runs on' },
    ],
    response_format: { duration: '5s' },
    generation_config: { video_config: { task: 'extend' } },
  })
})

test.each([
  ['a film behind the URL of a picture', { video: filmUri, reference_images: ['https://a.example/film'] }],
  ['a picture behind the URL of a film', { video: 'https://a.example/picture' }],
  ['a film behind the URL of a first frame', { image: 'https://a.example/film' }],
])('%s fails the Gemini Omni job without a request to Google', async (_what, input) => {
  await runs.close()
  runs = await googleRuns({
    fetchFile: async (url) => {
      const bytes = String(url).endsWith('film') ? film : fakeFile('image').bytes
      const body = new Blob([bytes]).stream()
      return { url: '', contentType: undefined, contentLength: undefined, body, bytes: async () => bytes }
    },
  })
  expect((await run({ prompt: 'a fox', ...input })).error).toMatchObject({ code: 'input_fetch_failed' })
  expect(runs.fake.requests).toHaveLength(0)
})

test('a Gemini Omni film that the answer contains as base64 is stored', async () => {
  const job = await run({ prompt: 'an inline fox' })
  expect(job).toMatchObject({ phase: 'completed', costUsd: filmUsd })
  expect(await runs.outputs(job)).toEqual([film])
})

test.each(['files/omni0', 'files/omni0:download', 'files/omni0:download?alt=media'])(
  'a Gemini Omni film at …/%s is downloaded as a file, not as metadata',
  async (path) => {
    runs.fake.trouble('/interactions/', ended('completed', made(`${runs.fake.baseUrl}/${path}`)))
    expect(await runs.outputs(await run({ prompt: 'a fox' }))).toEqual([film])
  },
)

test('a Gemini Omni film whose file is still PROCESSING is waited for and downloaded once', async () => {
  runs.fake.trouble('/files/omni0', says({ state: 'PROCESSING' }), says({ state: 'PROCESSING' }))
  expect(await run({ prompt: 'a fox' })).toMatchObject({ phase: 'completed', costUsd: filmUsd })
  const downloads = runs.fake.requests.filter(({ url }) => url.pathname.endsWith(':download'))
  expect(downloads).toHaveLength(1)
})

test('a Gemini Omni interaction that is completed before its film is in the answer is polled once more and delivered', async () => {
  runs.fake.trouble('/interactions/', ended('completed'))
  expect(await run({ prompt: 'a fox' })).toMatchObject({ phase: 'completed', costUsd: filmUsd })
  expect(runs.fake.ledger).toHaveLength(1)
})

test('a Gemini Omni film whose file is FAILED fails the job with its cost', async () => {
  runs.fake.trouble('/files/omni0', says({ state: 'FAILED' }))
  const job = await run({ prompt: 'a fox' })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'provider_failed' }, costUsd: filmUsd })
})

test('a Gemini Omni film at another origin is fetched without the key', async () => {
  const uri = `${runs.fake.storage.origin}/videos/0`
  runs.fake.trouble('/interactions/', ended('completed', made(uri)))
  expect(await run({ prompt: 'a fox' })).toMatchObject({ phase: 'completed' })
  expect(runs.fake.storage.requests).toHaveLength(1)
  expect(runs.fake.storage.requests[0]?.headers).not.toHaveProperty('x-goog-api-key')
  expect(runs.fake.storage.requests[0]?.url.href).not.toContain(token)
})

test('a Gemini Omni download that is redirected to another origin goes there without the key', async () => {
  const location = `${runs.fake.storage.origin}/videos/0`
  runs.fake.trouble('omni0:download', answers({ status: 302, headers: { location }, body: '' }))
  expect(await run({ prompt: 'a fox' })).toMatchObject({ phase: 'completed' })
  expect(runs.fake.storage.requests[0]?.headers).not.toHaveProperty('x-goog-api-key')
})

test('a paid Gemini Omni film whose state is answered with a redirect is downloaded all the same', async () => {
  const redirect = answers({ status: 302, headers: { location: `${runs.fake.storage.origin}/x` }, body: '' })
  runs.fake.trouble((request) => request.url.pathname.endsWith('/files/omni0'), always(redirect))
  expect(await run({ prompt: 'a fox' })).toMatchObject({ phase: 'completed' })
})

test('a prompt that Gemini Omni refuses in words fails the job with these words and costs its tokens', async () => {
  const job = await run({ prompt: 'forbidden' })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'content_policy' }, costUsd: refusalUsd })
  expect(job.error?.message).toContain(refusal)
})

test.each<[string, string, Trouble]>([
  ['a fault', 'provider_failed', ended('failed', { errors: [{ code: 'internal', message: 'Oh.' }] })],
  ['a fault in one word', 'provider_failed', ended('failed', { error: { code: 13, message: 'Oh.' } })],
  [
    'the fault of a step',
    'provider_failed',
    ended('failed', { steps: [{ type: 'model_output', error: { message: 'Oh.' } }] }),
  ],
  ['no reason', 'provider_failed', ended('failed')],
  [
    'a refusal',
    'content_policy',
    ended('failed', { errors: [{ code: 'x', message: 'The prompt was blocked for safety reasons.' }] }),
  ],
  ['a bad value', 'provider_rejected', ended('failed', { errors: [{ code: 'invalid_request' }] })],
  ['a cancellation', 'provider_failed', ended('cancelled')],
  ['half a film', 'provider_failed', ended('incomplete')],
  ['a budget', 'provider_failed', ended('budget_exceeded')],
  ['a question', 'provider_failed', ended('requires_action')],
  ['nothing', 'output_invalid', always(ended('completed'))],
  ['an empty step', 'output_invalid', always(ended('completed', { steps: [{ type: 'model_output' }] }))],
])('a Gemini Omni interaction that ends with %s fails the job as %s', async (_, code, trouble) => {
  runs.fake.trouble('/interactions/', trouble)
  const job = await run({ prompt: 'a fox' })
  expect(job).toMatchObject({ phase: 'failed', error: { code }, outputs: [] })
  expect(runs.fake.ledger).toHaveLength(1)
})

test.each([
  ['queued', ended('queued')],
  ['a word that nobody knows', ended('dreaming')],
  [
    'a fault of the API that passes',
    answers(invalidRequest('Multiple authentication credentials received.')),
  ],
  ['a key that is refused for a moment', answers(invalidKey)],
])('a Gemini Omni job whose poll is answered with %s is polled again and completes', async (_, trouble) => {
  runs.fake.trouble('/interactions/', trouble)
  expect(await run({ prompt: 'a fox' })).toMatchObject({ phase: 'completed' })
  expect(runs.fake.ledger).toHaveLength(1)
})

test('a Gemini Omni interaction that Google has forgotten fails the job as provider_lost and is not repeated', async () => {
  const id = await runs.create(omni, { prompt: 'a fox' })
  await expect.poll(() => runs.fake.requests).toHaveLength(1)
  runs.fake.trouble('/interactions/', ...Array(50).fill(answers(invalidRequest('Invalid interaction name.'))))
  expect(await runs.finished(id)).toMatchObject({ phase: 'failed', error: { code: 'provider_lost' } })
  expect(runs.fake.ledger).toHaveLength(1)
})

test.each<[string, string, Trouble]>([
  ['no id', 'submit_ambiguous', says({ status: 'in_progress' })],
  ['an id that leads elsewhere', 'submit_ambiguous', says({ id: '../files/1', status: 'in_progress' })],
  ['503', 'submit_ambiguous', answers({ status: 503, json: {} })],
  ['a reset', 'submit_ambiguous', { instead: 'reset' }],
  ['a bad key', 'provider_rejected', answers(invalidKey)],
  ['404', 'provider_rejected', answers({ status: 404, json: { error: { message: 'No such model.' } } })],
  ['410', 'provider_rejected', answers({ status: 410, json: { error: { message: 'Shut down.' } } })],
  ['a wrong value', 'provider_rejected', answers(invalidRequest("The value '1:7' is not supported."))],
  ['a refusal', 'content_policy', answers(invalidRequest('The prompt was blocked by our policies.'))],
])(
  'a Gemini Omni submit that is answered with %s fails the job as %s and is not repeated',
  async (_, code, trouble) => {
    runs.fake.trouble('/interactions', trouble)
    const job = await run({ prompt: 'a fox' })
    expect(job).toMatchObject({ phase: 'failed', error: { code } })
    expect(runs.fake.requests).toHaveLength(1)
  },
)

test('cancelling a Gemini Omni job cancels its interaction at Google', async () => {
  const provider = runs.connect()
  const call = { signal: new AbortController().signal }
  const task = { jobId: 'job', model: omni, clientToken: 'token', input: { prompt: 'a fox', duration: 8 } }
  const begun = await provider.submit(task, call)
  if (begun.state !== 'running') throw new Error(begun.state)
  const running = { ...task, handle: begun.handle }
  await provider.cancel!(running, call)
  expect(runs.fake.interactions.lastStatus()).toBe('cancelled')
  expect(await provider.poll(running, call)).toMatchObject({ state: 'failed', code: 'provider_failed' })
  // It has ended, so that a second cancellation has nothing to do.
  await provider.cancel!(running, call)
  runs.fake.trouble('/cancel', answers({ status: 503, json: {} }))
  await expect(provider.cancel!(running, call)).rejects.toThrow('503')
})

describe('the gemini-omni provider without the network', () => {
  const call = { signal: new AbortController().signal }
  const bare = { token: 'AIza-test', fetch: () => Promise.reject(new Error('Nothing is to be asked.')) }

  test.each([
    null,
    {},
    { interaction: '..' },
    { interaction: 'a/b' },
    { interaction: 'https://evil.example' },
  ])('reports a task with the handle %j as unknown', async (handle) => {
    const provider = geminiOmniProvider({ ...bare, models: { [omni]: {} } })
    const task = { jobId: 'job', model: omni, input: {}, clientToken: 'token', handle }
    expect(await provider.poll(task, call)).toMatchObject({ state: 'unknown' })
    await provider.cancel!(task, call)
  })

  test('fails a job whose poll has an answer that is too long to be read', async () => {
    const mebibyte = new Uint8Array(1024 * 1024)
    const body = () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: (stream) => stream.enqueue(mebibyte) })
    const provider = geminiOmniProvider({
      ...bare,
      fetch: async () => new Response(body()),
      models: { [omni]: {} },
    })
    const handle = { interaction: 'v1_a' }
    const task = { jobId: 'job', model: omni, input: {}, clientToken: 'token', handle }
    expect(await provider.poll(task, call)).toMatchObject({ state: 'failed', code: 'output_invalid' })
  })
})

test.each([
  ['by its resolution', { by: 'resolution', usd: { '720p': 0.1, '4k': 0.3 } }, 10 * 0.3],
  ['by its seconds', 0.1, 10 * 0.1],
])('a Gemini Omni film can be priced %s', async (_, price, usd) => {
  await runs.close()
  runs = await googleRuns({}, price)
  const job = await run({ prompt: 'a fox', resolution: '4k', duration: 10 })
  expect(job.costUsd).toBeCloseTo(usd)
})
