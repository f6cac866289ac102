import { guardedFetch, type GuardedFetch } from '@genmount/guarded-fetch'
import { openaiResponsesProvider, type OpenaiResponsesModel } from '@genmount/provider-openai/responses'
import { fakeFile } from '@genmount/testing'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import { vendorServer } from '../vendor-server.ts'
import { token } from './openai-words.ts'
import { type OpenaiFake, openaiFake } from './openai-fake.ts'

let fake: OpenaiFake
let runs: ServiceWorld

const png = fakeFile('image').bytes
const dataUri = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
const caller = { model: 'gpt-5.6-luna', price: { input: 1, output: 6 } }
const price = { textInput: 5, imageInput: 8, imageOutput: 30 }
/** The cost of the language model in each response of the fake, in US dollars. */
const callerUsd = (2000 * 1 + 50 * 6) / 1e6
/** The address of the host of masks. */
let masks: string
const fetchFile: GuardedFetch = (url, limits) =>
  guardedFetch(String(url).replace('http://masks.example.com', masks), {
    ...limits,
    allowAddress: (address) => address === '127.0.0.1',
  })

function start(model: Partial<OpenaiResponsesModel> = {}): void {
  const models = { 'gpt-image-2': { price, caller, ...model } }
  runs = jobRuns(openaiResponsesProvider({ token, baseUrl: fake.baseUrl, models, fetchFile }))
}

const jobOf = async (input: object) =>
  runs.finished(await runs.create('gpt-image-2', { prompt: 'a fox', ...input }))

beforeEach(async () => {
  fake = await openaiFake()
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

test('a job of the Responses API is one response in the background and costs what both models cost', async () => {
  start()
  const job = await jobOf({})
  expect(job).toMatchObject({
    phase: 'completed',
    costUsd: (12 * 5 + 1056 * 30) / 1e6 + callerUsd,
    inferenceMs: 21_000,
  })
  expect(await runs.outputs(job)).toEqual([png])
  expect(fake.responses.ledger.map(({ body }) => body)).toEqual([
    {
      model: 'gpt-5.6-luna',
      background: true,
      store: true,
      instructions: expect.any(String),
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'a fox' }] }],
      tools: [{ type: 'image_generation', model: 'gpt-image-2' }],
      tool_choice: { type: 'image_generation' },
      max_tool_calls: 1,
      metadata: { genmount_job: job.id },
    },
  ])
})

test('the fields of a job become those of the image tool of the Responses API', async () => {
  start({
    model: 'gpt-image-1.5',
    allowedProviderOptions: ['background', 'safety_identifier'],
    inputs: { frame_count: v.optional(v.number()) },
    providerOptions: { moderation: 'low' },
  })
  const provider_options = { background: 'transparent', safety_identifier: 'u1' }
  await jobOf({ aspect_ratio: '3:2', quality: 'low', format: 'gif', frame_count: 4, provider_options })
  expect(fake.responses.ledger[0]?.tool).toEqual({
    type: 'image_generation',
    model: 'gpt-image-1.5',
    size: '1536x1024',
    quality: 'low',
    output_format: 'gif',
    frame_count: 4,
    background: 'transparent',
    moderation: 'low',
  })
  expect(fake.responses.ledger[0]?.body['safety_identifier']).toBe('u1')
})

test('a job of the Responses API with pictures is an edit, and the URL of its mask is fetched by this service', async () => {
  const pictures = await vendorServer(() => ({ headers: { 'content-type': 'image/png' }, body: png }))
  onTestFinished(() => pictures.close())
  masks = pictures.origin
  start()
  const image = 'https://pictures.example.com/fox.png'
  const job = await jobOf({ image, reference_images: [dataUri], mask: 'http://masks.example.com/1.png' })
  expect(job).toMatchObject({
    phase: 'completed',
    costUsd: (12 * 5 + 646 * 8 + 1056 * 30) / 1e6 + callerUsd,
  })
  expect(fake.responses.ledger[0]?.pictures).toEqual([image, dataUri])
  expect(fake.responses.ledger[0]?.tool).toMatchObject({
    action: 'edit',
    input_image_mask: { image_url: dataUri },
  })
})

test('a job of the Responses API whose mask cannot be fetched fails and costs nothing', async () => {
  start()
  const job = await jobOf({ image: dataUri, mask: 'https://no-such-host.invalid/mask.png' })
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'input_fetch_failed' }, costUsd: 0 })
  expect(fake.requests).toHaveLength(0)
})

test.each([
  ['forbidden', 'content_policy', 'safety_violations=[violence]', callerUsd + (12 * 5) / 1e6],
  ['refused', 'content_policy', "I can't help with that.", callerUsd + (12 * 5) / 1e6],
  ['half', 'content_policy', 'content filter', callerUsd + (12 * 5) / 1e6],
  ['chat', 'output_invalid', 'What a nice fox.', callerUsd + (12 * 5) / 1e6],
])(
  'an OpenAI response that is %s fails the job with the reason and its cost',
  async (prompt, code, message, costUsd) => {
    start()
    const job = await jobOf({ prompt })
    expect(job).toMatchObject({ phase: 'failed', error: { code } })
    expect(job.error?.message).toContain(message)
    expect(job.costUsd).toBeCloseTo(costUsd, 9)
  },
)

test('a job of the Responses API whose picture OpenAI cannot fetch fails as input_fetch_failed', async () => {
  start()
  const job = await jobOf({ image: 'https://pictures.example.com/missing.png' })
  expect(job.error).toMatchObject({ code: 'input_fetch_failed' })
})

test('openaiResponsesProvider refuses num_outputs above four and a price for only one of both models', async () => {
  start()
  await expect(jobOf({ num_outputs: 5 })).rejects.toThrow('num_outputs')
  expect(() => start({ caller: { model: 'gpt-5.6-luna' } })).toThrow(
    "openaiResponsesProvider: models['gpt-image-2'].caller.price is missing",
  )
})
