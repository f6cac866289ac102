import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'

const base = 'https://media.example.com'
const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'inline-image', prompt: 'a kite' })
let worker: Miniflare
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ worker, stop } = await bundledWorker('worker'))
})
afterAll(() => stop())

test('in workerd a job is created, waited for, and its file fetched', async () => {
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

test('in workerd a job that nobody waits for is finished when it is polled', async () => {
  const created = await worker.dispatchFetch(`${base}/v1/generate`, { method: 'POST', headers, body })
  expect(created.status).toBe(202)
  const { urls } = (await created.json()) as { urls: { get: string } }
  await expect
    .poll(
      async () =>
        ((await (await worker.dispatchFetch(urls.get, { headers })).json()) as { status: string }).status,
      {
        timeout: 10_000,
      },
    )
    .toBe('completed')
})

test('in workerd requests that wait at the same time are all answered, whichever ends first', async () => {
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

test('in workerd the events of a job end with the finished job', async () => {
  const created = await worker.dispatchFetch(`${base}/v1/generate`, { method: 'POST', headers, body })
  const { urls } = (await created.json()) as { urls: { get: string } }
  const events = await worker.dispatchFetch(`${urls.get}/events`, { headers })
  expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  expect(await events.text()).toMatch(/\nevent: done\nid: \S+\ndata: \{.*"status":"completed".*\}\n\n$/)
})
