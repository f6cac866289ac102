import { createClient } from '@genmount/client'
import { toMcpHandler } from '@genmount/mcp'
import { toNodeMcpHandler } from '@genmount/mcp/node'
import express from 'express'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../loopback.ts'
import { connectOverHttp } from './connect.ts'
import { call, shownJob, textOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys } from './servers/mcp-service.ts'
import { inProcess, start } from './servers/start-on-node.ts'

const kite = { model: 'fake-image', prompt: 'a kite' }
const slowFilm = { prompt: 'a kite flies', delay_ms: 600_000 }

test('the MCP endpoint answers a request without a valid API key with 401, WWW-Authenticate and the error of /v1', async () => {
  const { handle } = inProcess()
  for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
    const response = await handle(modernRequest('tools/list', {}, headers))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(await response.json()).toMatchObject({ error: { code: expect.stringMatching(/_api_key$/) } })
  }
})

test('a client with another API key cannot see a job or read its files', async () => {
  const { connect } = await start()
  const { job_id, files } = shownJob(await call(await connect(), 'generate_image', kite))
  const bob = await connect(keys.bob)
  const foreign = await bob.callTool({ name: 'get_job', arguments: { job_id } })
  const unknown = await bob.callTool({ name: 'get_job', arguments: { job_id: 'gen_none' } })
  const codeOf = ({ structuredContent }: typeof foreign) =>
    (structuredContent as { error: { code: string } }).error.code
  expect([codeOf(foreign), codeOf(unknown)]).toEqual(['job_not_found', 'job_not_found'])
  await expect(bob.readResource({ uri: files[0]!.uri })).rejects.toThrow(/not found/i)
})

test('the MCP endpoint refuses pages of other origins, and answers those in its option origins with CORS headers', async () => {
  const { handle } = inProcess({ origins: ['https://app.example'] })
  const from = (origin: string) =>
    handle(modernRequest('tools/list', {}, { origin, authorization: `Bearer ${keys.alice}` }))
  for (const origin of ['https://evil.example', 'null', 'http://app.example'])
    expect((await from(origin)).status).toBe(403)
  const response = await from('https://app.example')
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
  const preflight = new Request('http://app.test/mcp', {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example' },
  })
  expect((await handle(preflight)).status).toBe(204)
})

test('an MCP endpoint below a mount path sends its requests to the /v1 beside it, with the Host of its client', async () => {
  const seen: string[] = []
  const handle = toMcpHandler((request: Request) => {
    seen.push(`${request.url} ${request.headers.get('host')} ${request.headers.get('authorization')}`)
    return new Response('{}', { status: 401 })
  })
  const headers = { host: 'media.example', authorization: 'Bearer key' }
  await handle(modernRequest('tools/list', {}, headers, 'http://127.0.0.1/media/mcp'))
  expect(seen).toEqual(['http://127.0.0.1/media/v1/models media.example Bearer key'])
})

test('the MCP endpoint on Node refuses a body of 5 MB with 413', async () => {
  const { baseUrl } = await start()
  const headers = { authorization: `Bearer ${keys.alice}`, 'content-type': 'application/json' }
  const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body: 'x'.repeat(5_000_000) })
  expect(response.status).toBe(413)
})

test('a call ends after waitMs, and its job goes on', async () => {
  const { connect, service } = await start({ waitMs: 200 })
  const result = await call(await connect(), 'generate_video', slowFilm)
  expect(shownJob(result).status).toBe('processing')
  expect(textOf(result)).toContain(`get_job`)
  expect((await service.health()).waiters).toBe(0)
})

test.each(['modern', 'legacy'] as const)(
  'a client (%s) that leaves during a call leaves its job running and nothing that waits',
  async (era) => {
    const { connect, service, baseUrl } = await start()
    const waiters = async () => (await service.health()).waiters
    const client = await connect(keys.alice, era)
    const calling = client.callTool({ name: 'generate_video', arguments: slowFilm }).catch(() => {})
    await vi.waitFor(async () => expect(await waiters()).toBe(1), 60_000)
    await client.close()
    await calling
    await vi.waitFor(async () => expect(await waiters()).toBe(0), 60_000)
    const { data } = await createClient({ baseUrl, apiKey: keys.alice }).listPage()
    expect(data.map(({ status }) => status)).toEqual(['processing'])
  },
)

test('the MCP endpoint works in Express below a mount path and behind express.json()', async () => {
  const { v1, service } = inProcess()
  service.start()
  const mcp = toNodeMcpHandler(
    toMcpHandler((request) => v1(new Request(request.url.replace('/media', ''), request))),
  )
  const app = express()
  app.use(express.json())
  const router = express.Router()
  router.all('/mcp', mcp)
  app.use('/media', router)
  const { origin, stop } = await listen(app)
  onTestFinished(stop)
  for (const era of ['modern', 'legacy'] as const) {
    const client = await connectOverHttp(`${origin}/media`, era)
    expect((await client.listTools()).tools).toHaveLength(6)
    await client.close()
  }
})

test('toMcpHandler throws an error that names a wrong option', () => {
  const serve = () => new Response()
  expect(() => toMcpHandler(undefined as never)).toThrow(/^serve must be/)
  expect(() => toMcpHandler(serve, { maxCostUsd: -1 })).toThrow(/^maxCostUsd must be/)
  expect(() => toMcpHandler(serve, { maxPictureBytes: Number.NaN })).toThrow(/^maxPictureBytes must be/)
  expect(() => toMcpHandler(serve, { waitMs: 0 })).toThrow(/^waitMs must be/)
  expect(() => toMcpHandler(serve, { origins: ['app.example'] })).toThrow(/^origins must be/)
  expect(() => toMcpHandler(serve, { fetch: true as never })).toThrow(/^fetch must be/)
})
