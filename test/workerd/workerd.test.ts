import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modernRequest } from '../mcp/modern-request.ts'
import { bundledWorker } from './bundled-worker.ts'

const base = 'https://media.example.com'
const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'inline-image', prompt: 'a kite' })
let worker: Miniflare

beforeAll(async () => {
  worker = await bundledWorker('service-worker')
})
afterAll(() => worker?.dispose())

test('a client of a service in workerd creates a job, waits for it and fetches its file', async () => {
  const created = await worker.dispatchFetch(`${base}/v1/generate?wait=true`, {
    method: 'POST',
    headers,
    body,
  })
  const job = (await created.json()) as { status: string; data: { url: string }[] }
  expect([created.status, job.status]).toEqual([200, 'completed'])
  const redirect = await worker.dispatchFetch(job.data[0]!.url, { headers, redirect: 'manual' })
  expect(redirect.status).toBe(302)
  const file = await worker.dispatchFetch(redirect.headers.get('location') ?? '')
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect((await file.arrayBuffer()).byteLength).toBe(12)
})

test('a job in workerd that no client waits for is completed when a client polls it', async () => {
  const created = await worker.dispatchFetch(`${base}/v1/generate`, { method: 'POST', headers, body })
  expect(created.status).toBe(202)
  const { urls } = (await created.json()) as { urls: { get: string } }
  await expect
    .poll(
      async () =>
        ((await (await worker.dispatchFetch(urls.get, { headers })).json()) as { status: string }).status,
    )
    .toBe('completed')
})

test('a service in workerd answers all requests that wait at the same time, whichever job ends first', async () => {
  const waitFor = async (seconds: number) => {
    const created = await worker.dispatchFetch(`${base}/v1/generate`, {
      method: 'POST',
      headers: { ...headers, prefer: `wait=${seconds}` },
      body,
    })
    return ((await created.json()) as { status: string }).status
  }
  const statuses = await Promise.all([1, 2, 5, 5].map((seconds) => waitFor(seconds)))
  expect(statuses.slice(2)).toEqual(['completed', 'completed'])
  expect(await waitFor(5)).toBe('completed')
})

test('the events of a job in workerd end with the finished job', async () => {
  const created = await worker.dispatchFetch(`${base}/v1/generate`, { method: 'POST', headers, body })
  const { urls } = (await created.json()) as { urls: { get: string } }
  const events = await worker.dispatchFetch(`${urls.get}/events`, { headers })
  expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await events.text()).toMatch(/\nevent: done\nid: \S+\ndata: \{.*"status":"completed".*\}\n\n$/)
})

test('an MCP server in workerd gives agents their pictures, and refuses agents without a key', async () => {
  const ask = async (credentials: Record<string, string>) => {
    const params = { name: 'generate_image', arguments: { prompt: 'a kite' } }
    const request = modernRequest('tools/call', params, credentials)
    const { url, method } = request
    const body = await request.text()
    return worker.dispatchFetch(url, { method, headers: Object.fromEntries(request.headers), body })
  }
  expect((await ask({})).status).toBe(401)
  const reply = await ask({ authorization: 'Bearer key-of-alice' })
  expect(await reply.json()).toMatchObject({
    result: {
      structuredContent: { status: 'completed', cost_usd: 0.01 },
      content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'resource_link' }],
    },
  })
})
