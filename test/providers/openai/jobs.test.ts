import { openaiProvider, type OpenaiModel } from '@genmount/provider-openai'
import { fakeFile } from '@genmount/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobRuns, type ServiceWorld } from '../service-world.ts'
import { token } from './openai-words.ts'
import { type OpenaiFake, openaiFake } from './openai-fake.ts'

let fake: OpenaiFake
let runs: ServiceWorld

const dataUri = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`
/** OpenAI's price list for gpt-image-2. */
const price = { textInput: 5, imageInput: 8, imageOutput: 30 }

function start(model: OpenaiModel = {}): void {
  const models = { 'gpt-image-2': model }
  runs = jobRuns(openaiProvider({ token, baseUrl: fake.baseUrl, models }))
}

beforeEach(async () => {
  fake = await openaiFake()
})
afterEach(async () => {
  await runs.close()
  await fake.close()
})

test('an OpenAI job makes num_outputs images and costs what its tokens cost', async () => {
  start({ price })
  const job = await runs.finished(await runs.create('gpt-image-2', { prompt: 'a fox', num_outputs: 3 }))
  expect(job).toMatchObject({ phase: 'completed', costUsd: (12 * 5 + 3168 * 30) / 1e6 })
  const outputs = await runs.outputs(job)
  expect(outputs).toEqual([0, 1, 2].map((index) => fakeFile('image', index).bytes))
  expect(job.outputs.map(({ contentType }) => contentType)).toEqual(Array(3).fill('image/png'))
})

test("the fields of a job become those of OpenAI's images API", async () => {
  start({ model: 'gpt-image-1.5', allowedProviderOptions: ['background'] })
  const input = { prompt: 'a fox', aspect_ratio: '3:2', quality: 'low', format: 'webp', num_outputs: 2 }
  const provider_options = { background: 'transparent' }
  await runs.finished(await runs.create('gpt-image-2', { ...input, provider_options }))
  expect(fake.ledger).toEqual([
    {
      path: '/v1/images/generations',
      body: {
        prompt: 'a fox',
        model: 'gpt-image-1.5',
        n: 2,
        size: '1536x1024',
        quality: 'low',
        output_format: 'webp',
        background: 'transparent',
      },
      pictures: 0,
    },
  ])
})

test('an OpenAI job with pictures is an edit, and their URLs are sent unchanged', async () => {
  start({ price })
  const image = ['https://pictures.example.com/fox.png', dataUri]
  const mask = 'https://pictures.example.com/mask.png'
  const job = await runs.finished(await runs.create('gpt-image-2', { prompt: 'make it snow', image, mask }))
  expect(job).toMatchObject({ phase: 'completed', costUsd: (12 * 5 + 646 * 8 + 1056 * 30) / 1e6 })
  expect(fake.ledger[0]).toMatchObject({
    path: '/v1/images/edits',
    body: {
      images: [{ image_url: image[0] }, { image_url: dataUri }],
      mask: { image_url: mask },
    },
  })
})

test('a price for each image of an OpenAI model counts images', async () => {
  start({ price: { by: 'quality', usd: { low: 0.01, high: 0.2 } } })
  const input = { prompt: 'a fox', quality: 'high', num_outputs: 2 }
  expect(await runs.finished(await runs.create('gpt-image-2', input))).toMatchObject({ costUsd: 0.4 })
})

test('a job whose picture OpenAI cannot fetch fails as input_fetch_failed', async () => {
  start()
  const image = 'https://pictures.example.com/missing.png'
  const job = await runs.finished(await runs.create('gpt-image-2', { prompt: 'a fox', image }))
  expect(job.error).toMatchObject({
    code: 'input_fetch_failed',
    message: 'Error while downloading the image.',
  })
})

test('a job whose prompt the moderation of OpenAI blocks fails as content_policy with the reason', async () => {
  start({ price })
  const job = await runs.finished(await runs.create('gpt-image-2', { prompt: 'forbidden' }))
  expect(job).toMatchObject({ phase: 'failed', costUsd: 0, error: { code: 'content_policy' } })
  expect(job.error?.message).toContain('safety_violations=[violence]')
})
