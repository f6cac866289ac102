import { limits } from '@genmount/core/limits'
import { GenerationError } from '@genmount/core'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { openaiWorld } from './openai-world.ts'

const fox = { model: 'painter', prompt: 'a fox' }

test("each refusal raises the class of OpenAI's SDK that programs catch", async () => {
  const { sdk, client } = await openaiWorld()
  const generate = (body: object) => sdk.images.generate(body as never)
  await expect(client({ apiKey: 'wrong' }).images.generate(fox)).rejects.toThrow(OpenAI.AuthenticationError)
  await expect(generate({ model: 'none', prompt: 'a' })).rejects.toThrow(OpenAI.NotFoundError)
  for (const [body, param] of [
    [{ prompt: 'a' }, 'model'],
    [{ model: 'painter' }, 'prompt'],
    [{ ...fox, n: 11 }, 'n'],
    [{ ...fox, size: 'large' }, 'size'],
    [{ ...fox, response_format: 'png' }, 'response_format'],
    [{ ...fox, quality: 'best' }, 'quality'],
    [{ model: 'filmer', prompt: 'a' }, 'model'],
  ] as const) {
    const refusal = await generate(body).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(OpenAI.BadRequestError)
    expect(refusal).toMatchObject({ param, type: 'invalid_request_error' })
  }
  await expect(sdk.chat.completions.create({ model: 'painter', messages: [] })).rejects.toThrow(
    /404 There is nothing at this path.*images\/generations/,
  )
})

test('a refused content raises BadRequestError with moderation_blocked, whether the app or the vendor refuses it', async () => {
  const failure = { code: 'content_policy' as const, message: 'No foxes.' }
  const { sdk } = await openaiWorld({ studio: { behave: [{ failure }] } })
  const refusal = await sdk.images.generate(fox).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OpenAI.BadRequestError)
  expect(refusal).toMatchObject({ code: 'moderation_blocked', message: expect.stringContaining('No foxes.') })
})

test('a failure of the vendor raises InternalServerError, and the SDK does not send the request again', async () => {
  const { client, studio } = await openaiWorld({
    studio: { behave: [{ failure: { code: 'provider_failed' } }] },
  })
  await expect(client({ maxRetries: 2 }).images.generate(fox)).rejects.toThrow(OpenAI.InternalServerError)
  expect(studio.submits).toHaveLength(1)
})

test('too many requests raise RateLimitError with the seconds to wait, and no budget is not tried again', async () => {
  const quota = async () => {
    throw new GenerationError('insufficient_quota', 'The budget is used up.')
  }
  const { sdk, client, origin } = await openaiWorld({
    service: { plugins: [limits({ requestsPerMinute: 3 })], admit: quota },
  })
  let requests = 0
  const counting = client({
    maxRetries: 2,
    fetch: (...all: Parameters<typeof fetch>) => (requests++, fetch(...all)),
  })
  await expect(counting.images.generate(fox)).rejects.toMatchObject({
    type: 'insufficient_quota',
    status: 429,
  })
  expect(requests).toBe(1)
  await sdk.models.list()
  await sdk.models.list()
  const refusal = await sdk.models.list().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OpenAI.RateLimitError)
  const { headers } = refusal as InstanceType<typeof OpenAI.RateLimitError>
  expect([headers?.get('retry-after'), headers?.get('ratelimit-policy')]).toEqual([
    expect.stringMatching(/^\d+$/),
    '"requests";q=3;w=60',
  ])
  expect(origin).toMatch(/^http/)
})

test('a refusal of the app that says when to try again says it to the SDK too', async () => {
  const { client } = await openaiWorld({
    service: {
      admit: async () => {
        throw new GenerationError('too_many_running_jobs', 'One at a time.', { retryAfterSeconds: 40 })
      },
    },
  })
  const refusal = await client({ maxRetries: 0 })
    .images.generate(fox)
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OpenAI.RateLimitError)
  const { headers } = refusal as InstanceType<typeof OpenAI.RateLimitError>
  expect(headers?.get('retry-after')).toBe('40')
})

test('a key that was used with another body raises UnprocessableEntityError, also if only n differs', async () => {
  const { sdk, studio } = await openaiWorld()
  const headers = { 'Idempotency-Key': 'order-7' }
  await sdk.images.generate(fox, { headers })
  await expect(sdk.images.generate({ ...fox, prompt: 'a cat' }, { headers })).rejects.toThrow(
    OpenAI.UnprocessableEntityError,
  )
  await expect(sdk.images.generate({ ...fox, n: 2 }, { headers })).rejects.toThrow(
    OpenAI.UnprocessableEntityError,
  )
  expect(studio.submits).toHaveLength(1)
})
