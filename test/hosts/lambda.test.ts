import { createHash } from 'node:crypto'
import serverlessHttp from 'serverless-http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGenerationService, memoryFileStore } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import { httpSuiteService } from '@genmount/testing/http'
import { anything } from '../../packages/testing/src/http-suite/suite-jobs.ts'
import { lambdaAdapters, type LambdaHandler } from './lambda-adapters.ts'
import { httpApi, type LambdaAnswer, lambdaFronts, type LambdaRequest, responseOf } from './lambda-events.ts'

const kite = { model: 'fake-image', prompt: 'ein Drachen über dem Meer' }

/** A picture whose bytes are not all UTF-8. */
const picture = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 31) % 256)),
])

const everyWay = lambdaAdapters.flatMap((adapter) =>
  lambdaFronts.map((front) => ({ way: `${adapter.name} behind ${front.name}`, adapter, front })),
)

describe.each(everyWay)('on AWS Lambda with $way', ({ adapter, front }) => {
  const suite = httpSuiteService()
  const authorization = `Bearer ${suite.keys.alice}`
  let handler: LambdaHandler

  beforeAll(() => void (handler = adapter.handlerOf(suite)))
  afterAll(() => suite.service.close())

  /** What the client of alice gets. */
  async function answerTo({ headers, ...request }: LambdaRequest): Promise<Response> {
    const event = front.eventOf({ ...request, headers: { authorization, ...headers } })
    return responseOf(await handler(event, {}))
  }

  function create(query = '', more: Partial<LambdaRequest> = {}) {
    return answerTo({
      method: 'POST',
      target: `/v1/generate${query}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(kite),
      ...more,
    })
  }

  async function finished(input: object = kite) {
    const response = await create('?wait=true', { body: JSON.stringify(input) })
    return { response, job: await response.json() }
  }

  const targetOf = (url: string | null) => url?.replace(front.origin, '') ?? ''

  test('a create is accepted, whether its body comes as text or in base64, and the URL of its job is that of the client', async () => {
    for (const isBase64 of [false, true]) {
      const response = await create('', { isBase64 })
      const job = await response.json()
      expect(job).toMatchObject({ object: 'generation', input: { prompt: kite.prompt } })
      expect(response.status).toBe(202)
      expect(job.urls.get).toBe(`${front.origin}/v1/jobs/${job.id}`)
      expect((await answerTo({ target: targetOf(job.urls.get) })).status).toBe(200)
    }
  })

  test('wait=true answers 200 with the finished job', async () => {
    const { response, job } = await finished()
    expect(response.status).toBe(200)
    expect(job).toMatchObject({ status: 'completed', error: null })
  })

  test('an output arrives byte for byte, and HEAD has its length and type without its bytes', async () => {
    const original = `data:image/png;base64,${picture.toString('base64')}`
    const { job } = await finished({ ...anything, copy_of: original })
    const redirect = await answerTo({ target: targetOf(job.data[0].url) })
    expect(redirect.status).toBe(302)
    const target = targetOf(redirect.headers.get('location'))
    const output = await answerTo({ target })
    expect(output.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await output.arrayBuffer()).equals(picture)).toBe(true)
    const head = await answerTo({ target, method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.headers.get('content-type')).toBe('image/png')
    expect(head.headers.get('content-length')).toBe(String(picture.length))
    expect(await head.text()).toBe('')
  })

  test('an upload keeps its bytes', async () => {
    const response = await answerTo({
      method: 'POST',
      target: '/v1/uploads',
      headers: { 'content-type': 'image/png' },
      body: picture,
    })
    expect(await response.json()).toMatchObject({
      object: 'upload',
      bytes: picture.length,
      sha256: createHash('sha256').update(picture).digest('hex'),
    })
    expect(response.status).toBe(201)
  })

  test('the events of a finished job are one whole answer', async () => {
    const { job } = await finished()
    const response = await answerTo({ target: `/v1/jobs/${job.id}/events` })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`"id":"${job.id}"`)
  })

  test('without a key the answer is 401, and without a job 404', async () => {
    expect((await create('', { headers: { authorization: '' } })).status).toBe(401)
    expect((await create('', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect((await answerTo({ target: '/v1/jobs/gen_1' })).status).toBe(404)
  })
})

/** A file store whose reads break off after some bytes. */
function brokenFiles() {
  const files = memoryFileStore()
  const read = () => {
    let pieces = 0
    return new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (pieces++ < 3) controller.enqueue(new Uint8Array(10))
        else controller.error(new Error('no disk'))
      },
    })
  }
  return {
    ...files,
    async open(key: string) {
      const file = await files.open?.(key)
      return file && { ...file, read }
    },
  }
}

test.each(lambdaAdapters)(
  'on AWS Lambda with $name, a download that breaks off ends the call instead of keeping the function until its time limit',
  async (adapter) => {
    const suite = httpSuiteService({ files: brokenFiles() })
    const handler = adapter.handlerOf(suite)
    const headers = { authorization: `Bearer ${suite.keys.alice}`, 'content-type': 'application/json' }
    const send = async (request: LambdaRequest) =>
      responseOf(await handler(httpApi.eventOf({ ...request, headers }), {}))
    const created = await send({
      method: 'POST',
      target: '/v1/generate?wait=true',
      body: JSON.stringify(kite),
    })
    const { pathname } = new URL((await created.json()).data[0].url)
    const { headers: redirect } = await send({ target: pathname })
    const target = new URL(redirect.get('location') ?? '').pathname
    // A rejected call is a 502 of the gateway.
    const status = await send({ target }).then(
      (response) => response.status,
      () => 502,
    )
    expect(status).toBeGreaterThanOrEqual(500)
    await suite.service.close()
  },
)

test('on AWS Lambda, a create is answered with 202 and submitted, and a cron ends its job although no client asks', async () => {
  const service = createGenerationService({
    providers: [fakeProvider()],
    plugins: [advance()],
    log: quietLog(),
  })
  const authenticate = apiKeys({ alice: 'key-of-alice' })
  const answer = serverlessHttp(toNodeHandler(service, { authenticate }), { binary: true })
  const phase = async () => (await service.list({ owner: 'alice' })).jobs[0]?.phase
  const event = httpApi.eventOf({
    method: 'POST',
    target: '/v1/generate',
    headers: { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' },
    body: JSON.stringify({ ...kite, delay_ms: 100 }),
  })
  const response = responseOf((await answer(event, {})) as LambdaAnswer)
  await service.settled()
  expect([response.status, await phase()]).toEqual([202, 'running'])
  await expect.poll(() => service.advance().then(phase), { interval: 500, timeout: 20_000 }).toBe('completed')
  await service.close()
})
