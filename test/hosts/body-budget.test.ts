import { once } from 'node:events'
import { connect } from 'node:net'
import { createGenerationService, type GenerationService } from '@genmount/core'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { toFetchHandler } from '@genmount/fetch-handler'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

const mebibyte = 1024 * 1024
/** A body without its last byte: a long string, because white space outside of strings has a lower limit. */
const unfinished = Buffer.from(`"${' '.repeat(mebibyte - 2)}`)
const options = {
  authenticate: apiKeys({ alice: 'alice-key', bob: 'bob-key' }),
  maxBodyBytes: mebibyte,
  maxBodiesBytes: mebibyte,
}
const headers = { 'content-type': 'application/json', authorization: 'Bearer bob-key' }
const kite = { method: 'POST', headers, body: JSON.stringify({ model: 'fake-image', prompt: 'a kite' }) }

function newService(): GenerationService {
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  return service
}

async function expectFull(reply: Response): Promise<void> {
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '3'])
  expect(await reply.json()).toMatchObject({ error: { code: 'capacity_exceeded' } })
}

test.each([
  ['node:http', (service: GenerationService) => toNodeHandler(service, options)],
  ['Express', (service: GenerationService) => express().use(toExpressMiddleware(service, options))],
] as const)(
  'on %s request bodies that are being received hold at most maxBodiesBytes, and a client that disconnects frees its part',
  async (_host, listenerOf) => {
    const origin = await served(listenerOf(newService()))
    const create = () => fetch(`${origin}/v1/generate`, kite)
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const head = `POST /v1/generate HTTP/1.1\r\nhost: a\r\nauthorization: Bearer alice-key\r\ncontent-type: application/json\r\ncontent-length: ${mebibyte}\r\n\r\n`
    socket.write(head)
    expect((await create()).status).toBe(202)
    socket.write(unfinished)
    await expect.poll(async () => (await create()).status).toBe(503)
    await expectFull(await create())
    socket.destroy()
    await expect.poll(async () => (await create()).status).toBe(202)
  },
)

test('on the fetch handler request bodies that are being received hold at most maxBodiesBytes, and a body that breaks off frees its part', async () => {
  const handle = toFetchHandler(newService(), options)
  const create = () => handle(new Request('http://a/v1/generate', kite))
  const breakOff = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(unfinished),
    pull: (controller) => breakOff.promise.then(() => controller.error(new Error('gone'))),
  })
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  const stalled = handle(new Request('http://a/v1/generate', init))
  await expect.poll(async () => (await create()).status).toBe(503)
  await expectFull(await create())
  breakOff.resolve()
  expect((await stalled).status).toBe(400)
  expect((await create()).status).toBe(202)
})

test('an owner whose request bodies do not end keeps no other owner from creating jobs, and can create jobs again once these bodies are gone', async () => {
  const handle = toFetchHandler(newService(), { ...options, maxBodiesBytes: 8 * mebibyte })
  const breakOff = Promise.withResolvers<void>()
  const alices = { ...headers, authorization: 'Bearer alice-key' }
  const statuses: number[] = []
  const stall = async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(unfinished),
      pull: (controller) => breakOff.promise.then(() => controller.error(new Error('gone'))),
    })
    const init = { method: 'POST', headers: alices, body, duplex: 'half' } as RequestInit
    statuses.push((await handle(new Request('http://a/v1/generate', init))).status)
  }
  const stalled = Array.from({ length: 12 }, stall)
  const create = (init: RequestInit = kite) => handle(new Request('http://a/v1/generate', init))
  await expect.poll(() => statuses).toEqual(Array.from({ length: 8 }, () => 503))
  expect((await create()).status).toBe(202)
  const large = JSON.stringify({ model: 'fake-image', prompt: 'a'.repeat(1_000_000) })
  expect((await create({ ...kite, body: large })).status).toBe(202)
  const refused = await create({ ...kite, headers: alices, body: large })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3'])
  expect(await refused.json()).toMatchObject({
    error: { code: 'capacity_exceeded', message: expect.stringContaining('Too many of your request bodies') },
  })
  breakOff.resolve()
  await Promise.all(stalled)
  expect((await create({ ...kite, headers: alices, body: large })).status).toBe(202)
})
