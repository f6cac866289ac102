import { request } from 'node:http'
import { GenerationError } from '@genmount/core'
import { corsPolicy } from '@genmount/v1-interface'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { served } from '../served.ts'
import { openaiWorld } from './openai-world.ts'

const fox = { model: 'painter', prompt: 'a fox' }

/** A proxy that cuts the connections of the first requests when the service has got them. */
async function cuttingProxy(origin: string, cuts: number) {
  let requests = 0
  const proxy = await served((req, res) => {
    const isCut = ++requests <= cuts
    const { method, headers, url } = req
    const upstream = request(new URL(url ?? '/', origin), { method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(res)
    })
    upstream.on('error', () => {})
    req.pipe(upstream)
    if (isCut) setTimeout(() => (req.socket.destroy(), upstream.destroy()), 1000)
  })
  return { baseURL: `${proxy}/openai/v1`, requests: () => requests }
}

test('an SDK whose connection is cut gets the picture of its first try by its retry, and one submit is made', async () => {
  const { origin, client, studio } = await openaiWorld({ studio: { behave: [{ delayMs: 2500 }] } })
  const { baseURL, requests } = await cuttingProxy(origin, 1)
  const { data } = await client({ baseURL, maxRetries: 2 }).images.generate(fox)
  expect([data?.length, requests(), studio.submits.length]).toEqual([1, 2, 1])
})

test('an SDK that has waited too long gets the picture by its retry, and one submit is made for each of three jobs', async () => {
  const { client, studio } = await openaiWorld({ studio: { behave: [{ delayMs: 2500 }] } })
  const { data } = await client({ maxRetries: 3, timeout: 1000 }).images.generate({ ...fox, n: 3 })
  expect([data?.length, studio.submits.length]).toEqual([3, 3])
})

test('a job that outlives the wait is answered with 504 and its id, which the SDK does not send again', async () => {
  const { client, studio, origin } = await openaiWorld({
    openai: { waitMs: 300 },
    studio: { behave: [{ delayMs: 60_000 }] },
  })
  const refusal = await client({ maxRetries: 2 })
    .images.generate(fox)
    .catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(OpenAI.InternalServerError)
  expect(refusal).toMatchObject({ status: 504, code: 'job_processing' })
  const [id = ''] = /gen_\w+/.exec((refusal as Error).message) ?? []
  expect((refusal as Error).message).toContain(`${origin}/v1/jobs/${id}`)
  const job = await fetch(`${origin}/v1/jobs/${id}`, { headers: { authorization: 'Bearer alice-key' } })
  expect([job.status, studio.submits.length]).toEqual([200, 1])
})

test('two equal requests are two jobs, and each refused one of several gets a job of its own by its retry', async () => {
  let admitted = 0
  const admit = () => {
    if (++admitted === 2 || admitted === 4)
      throw new GenerationError('rate_limit_exceeded', 'Not so fast. Try again.')
  }
  const { client, studio } = await openaiWorld({ service: { admit } })
  const sdk = client({ maxRetries: 2 })
  const answers = await Promise.all([1, 2, 3].map(() => sdk.images.generate(fox)))
  expect(answers.map(({ data }) => data?.length)).toEqual([1, 1, 1])
  expect(studio.submits).toHaveLength(3)
}, 60_000)

test('a refusal that its SDK does not repeat leaves the retry of a later equal request its own picture', async () => {
  let isOpen = false
  const admit = () => {
    if (!isOpen) throw new GenerationError('insufficient_quota', 'Your budget is used up.')
  }
  const { origin, client, studio } = await openaiWorld({
    service: { admit },
    studio: { behave: [{ delayMs: 2500 }] },
  })
  await expect(client({ maxRetries: 2 }).images.generate(fox)).rejects.toMatchObject({ status: 429 })
  isOpen = true
  const { baseURL } = await cuttingProxy(origin, 1)
  await client({ baseURL, maxRetries: 2 }).images.generate(fox)
  expect(studio.submits).toHaveLength(1)
})

test('an SDK that was refused at each of its tries leaves the retry of a later equal request its own picture', async () => {
  let admitted = 0
  const admit = () => {
    if (++admitted <= 2) throw new GenerationError('rate_limit_exceeded', 'Not so fast. Try again.')
  }
  const { origin, client, studio } = await openaiWorld({
    service: { admit },
    studio: { behave: [{ delayMs: 2500 }] },
  })
  await expect(client({ maxRetries: 1 }).images.generate(fox)).rejects.toMatchObject({ status: 429 })
  const { baseURL } = await cuttingProxy(origin, 1)
  await client({ baseURL, maxRetries: 2 }).images.generate(fox)
  expect(studio.submits).toHaveLength(1)
})

test("another owner's retry with the same body gets none of the jobs", async () => {
  const { client, studio } = await openaiWorld()
  await client().images.generate(fox)
  const headers = { 'X-Stainless-Retry-Count': '1' }
  await client({ apiKey: 'bob-key' }).images.generate(fox, { headers })
  expect(studio.submits).toHaveLength(2)
  await client({ apiKey: 'bob-key' }).images.generate(fox, { headers })
  expect(studio.submits).toHaveLength(2)
})

test('a request that is sent again with its Idempotency-Key gets the same pictures, whoever sends it', async () => {
  const { client, studio } = await openaiWorld()
  const headers = { 'Idempotency-Key': 'order-7' }
  const [first, second] = [
    await client().images.generate({ ...fox, n: 2, response_format: 'url' }, { headers }),
    await client().images.generate({ ...fox, n: 2, response_format: 'url' }, { headers }),
  ]
  expect(second.created).toBe(first.created)
  expect(studio.submits).toHaveLength(2)
})

test('an SDK in a page of another origin may read that a job that outlives the wait is not to be sent again', async () => {
  const { origin } = await openaiWorld({
    openai: { waitMs: 100 },
    studio: { behave: [{ delayMs: 60_000 }] },
    settings: { cors: corsPolicy({ origins: ['https://app.example'] }) },
  })
  const headers = { authorization: 'Bearer alice-key', 'content-type': 'application/json' }
  const url = `${origin}/openai/v1/images/generations`
  const page = { ...headers, origin: 'https://app.example' }
  const answer = await fetch(url, { method: 'POST', headers: page, body: JSON.stringify(fox) })
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([504, 'false'])
  const exposed = answer.headers.get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['x-should-retry', 'retry-after', 'location']))
})
