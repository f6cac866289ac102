import { once } from 'node:events'
import { uploads } from '@genmount/core/uploads'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiKeys, toExpressMiddleware } from '@genmount/express-middleware'
import { createGenerationService, type GenerationServiceOptions, memoryFileStore } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import express, { type RequestHandler } from 'express'
// @ts-expect-error Express 4 under a second name has no types of its own; those of Express 5 fit what is used here.
import express4 from 'express4'
import { afterEach, describe, expect, test } from 'vitest'

const kite = { model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 }
const cleanUps: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

/** A PNG of one pixel. */
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function newMiddleware(options: Partial<GenerationServiceOptions> = {}) {
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog(), ...options })
  cleanUps.push(() => service.close())
  return toExpressMiddleware(service, { authenticate: apiKeys({ alice: 'alice-key' }) })
}

async function listen(app: RequestListener): Promise<string> {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function post(url: string, body: string, headers: Record<string, string> = {}) {
  const given = { authorization: 'Bearer alice-key', 'content-type': 'application/json', ...headers }
  return fetch(url, { method: 'POST', headers: given, body })
}

describe.each([
  ['4', express4 as typeof express],
  ['5', express],
])('on Express %s', (_, express) => {
  test('the middleware answers paths below /v1 of its mount and passes all other paths on to the app', async () => {
    const app = express()
    app.use('/media', newMiddleware())
    app.use((_req, res) => void res.status(418).send('the app'))
    const origin = await listen(app)
    const statusOf = async (path: string) => (await fetch(origin + path)).status
    for (const path of [
      '/media/v1',
      '/media/v1/',
      '/media/v1/nothing',
      '/MEDIA/v1/jobs/x',
      '/media/v1/jobs/%E0%A4%A',
    ])
      expect(await statusOf(path), path).toBe(401)
    for (const path of [
      '/',
      '/v1/jobs/x',
      '/media',
      '/media/',
      '/media/v11',
      '/media/V1/jobs/x',
      '/media/v1/%2e%2e/x',
    ])
      expect(await statusOf(path), path).toBe(418)
  })

  test.each<[string, RequestHandler]>([
    ['express.json() for all types', express.json({ type: '*/*' })],
    ['express.raw() for all types', express.raw({ type: '*/*' })],
    ['express.text() for all types', express.text({ type: '*/*' })],
    ['express.json() that accepts every value', express.json({ strict: false })],
  ])('behind %s a create is a job', async (_parser, parse) => {
    const origin = await listen(express().use(parse).use(newMiddleware()))
    const created = await post(`${origin}/v1/generate`, JSON.stringify(kite))
    expect([created.status, await created.json()]).toMatchObject([202, { input: { prompt: kite.prompt } }])
    for (const type of ['Application/JSON', 'APPLICATION/JSON; Charset="UTF-8"'])
      expect(
        (await post(`${origin}/v1/generate`, JSON.stringify(kite), { 'content-type': type })).status,
      ).toBe(202)
    const broken = await post(`${origin}/v1/generate`, '{"model":7}')
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { param: 'model' } }])
  })

  test.each([true, false])(
    'behind express.urlencoded({ extended: %s }) for all types the error names the parser',
    async (extended) => {
      const parse = express.urlencoded({ type: '*/*', extended })
      const origin = await listen(express().use(parse).use(newMiddleware()))
      for (const prompt of ['a kite', 'a [b]=c & d']) {
        const reply = await post(`${origin}/v1/generate`, JSON.stringify({ ...kite, prompt }, null, 1))
        expect([reply.status, await reply.text()]).toEqual([
          415,
          expect.stringContaining('express.urlencoded()'),
        ])
      }
    },
  )

  test('behind express.raw() an upload is its bytes, and behind express.text() it is refused and not stored in part', async () => {
    for (const [parse, status] of [
      [express.raw({ type: '*/*' }), 201],
      [express.text({ type: '*/*' }), 415],
    ] as const) {
      const origin = await listen(
        express()
          .use(parse)
          .use(newMiddleware({ files: memoryFileStore(), plugins: [uploads()] })),
      )
      const headers = { authorization: 'Bearer alice-key', 'content-type': 'image/png' }
      const reply = await fetch(`${origin}/v1/uploads`, { method: 'POST', headers, body: onePixel })
      const upload = (await reply.json()) as { bytes?: number }
      expect([reply.status, upload.bytes]).toEqual([status, status === 201 ? onePixel.length : undefined])
    }
  })
})

test('a create whose body an earlier middleware has thrown away is answered at once, and the log names the cause', async () => {
  const log = quietLog()
  const service = createGenerationService({ providers: [fakeProvider()], log })
  cleanUps.push(() => service.close())
  const app = express()
  app.use((req, _res, next) => void req.resume().once('end', next))
  app.use(toExpressMiddleware(service, { authenticate: apiKeys({ alice: 'alice-key' }) }))
  const reply = await post(`${await listen(app)}/v1/generate`, JSON.stringify(kite))
  expect(reply.status).toBe(500)
  expect(String(log.lines)).toContain('The app has read this body already.')
})

test('answers and refusals keep the headers that the CORS middleware of the app has set', async () => {
  const app = express()
  app.use((req, res, next) => {
    res.set('access-control-allow-origin', 'https://app.example')
    if (req.method === 'OPTIONS') res.sendStatus(204)
    else next()
  })
  app.use(newMiddleware())
  const origin = await listen(app)
  for (const [method, status] of [
    ['GET', 401],
    ['OPTIONS', 204],
  ] as const) {
    const reply = await fetch(`${origin}/v1/jobs/x`, { method })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('access-control-allow-origin')).toBe('https://app.example')
  }
})
