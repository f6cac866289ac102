import { createOpenAI } from '@ai-sdk/openai'
import { fakeFile } from '@genmount/testing'
import OpenAI, { BadRequestError, NotFoundError, RateLimitError, toFile } from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openaiError, token } from './openai-words.ts'
import { type OpenaiFake, openaiFake } from './openai-fake.ts'

let fake: OpenaiFake
let sdk: OpenAI
beforeAll(async () => {
  fake = await openaiFake()
  sdk = new OpenAI({ apiKey: token, baseURL: fake.baseUrl, maxRetries: 0 })
})
afterAll(() => fake.close())

const png = fakeFile('image').bytes

test("OpenAI's own SDK makes images with the fake of OpenAI", async () => {
  const answer = await sdk.images.generate({ model: 'gpt-image-2', prompt: 'a fox', n: 2, quality: 'low' })
  expect(answer.data?.map(({ b64_json = '' }) => Buffer.from(b64_json, 'base64')[0])).toEqual([0x89, 0x89])
  expect(answer.usage).toMatchObject({ input_tokens: 12, output_tokens: 2112, total_tokens: 2124 })
})

test("OpenAI's own SDK edits images with the fake of OpenAI", async () => {
  const image = [
    await toFile(png, 'a.png', { type: 'image/png' }),
    await toFile(png, 'b.png', { type: 'image/png' }),
  ]
  const answer = await sdk.images.edit({ model: 'gpt-image-2', prompt: 'make it snow', image })
  expect(answer.data).toHaveLength(1)
  expect(fake.ledger.at(-1)).toMatchObject({ path: '/v1/images/edits', pictures: 2 })
})

test("OpenAI's own SDK reads the errors of the fake as those of OpenAI", async () => {
  await expect(sdk.images.generate({ model: 'gpt-image-2', prompt: 'forbidden' })).rejects.toSatisfy(
    (error) => error instanceof BadRequestError && error.code === 'moderation_blocked',
  )
  fake.trouble('/images', { instead: openaiError(429, 'Rate limit reached', 'rate_limit_exceeded') })
  await expect(sdk.images.generate({ model: 'gpt-image-2', prompt: 'a fox' })).rejects.toThrow(RateLimitError)
})

test('the AI SDK makes and edits images with the fake of OpenAI', async () => {
  const model = createOpenAI({ apiKey: token, baseURL: fake.baseUrl }).image('gpt-image-2')
  const call = {
    size: undefined,
    aspectRatio: undefined,
    seed: undefined,
    providerOptions: {},
    mask: undefined,
  }
  const made = await model.doGenerate({ ...call, prompt: 'a fox', n: 2, files: undefined })
  expect(made.images).toHaveLength(2)
  expect(made.usage).toMatchObject({ inputTokens: 12, outputTokens: 2112 })
  const files = [{ type: 'file' as const, mediaType: 'image/png', data: png }]
  const edited = await model.doGenerate({ ...call, prompt: 'make it snow', n: 1, files })
  expect(edited.images).toHaveLength(1)
})

test("OpenAI's own SDK makes, reads and cancels background responses with the fake of OpenAI", async () => {
  const create = () =>
    sdk.responses.create({
      model: 'gpt-5.6-luna',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'a fox' }] }],
      tools: [{ type: 'image_generation', model: 'gpt-image-2', quality: 'low' }],
      tool_choice: { type: 'image_generation' },
      background: true,
      store: true,
    })
  const { id, status } = await create()
  expect(status).toBe('queued')
  expect((await sdk.responses.retrieve(id)).status).toBe('in_progress')
  const done = await sdk.responses.retrieve(id)
  const results = done.output.flatMap((item) => (item.type === 'image_generation_call' ? [item.result] : []))
  expect(results).toEqual([Buffer.from(png).toString('base64')])
  expect(done.tool_usage?.image_gen).toMatchObject({ input_tokens: 12, output_tokens: 1056 })
  const second = await create()
  expect((await sdk.responses.cancel(second.id)).status).toBe('cancelled')
  await expect(sdk.responses.retrieve('resp_gone')).rejects.toThrow(NotFoundError)
})
