import type { Miniflare } from 'miniflare'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'

const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' }
let worker: Miniflare

/** What the types of Miniflare leave out. */
interface Scheduled {
  scheduled(): Promise<{ readonly outcome: string }>
}

beforeAll(async () => {
  worker = await bundledWorker('cron-worker')
})
afterAll(() => worker?.dispose())

async function create(name: 'cron' | 'prompt'): Promise<string> {
  const body = JSON.stringify({ model: `${name}-image`, prompt: 'a kite' })
  const created = await worker.dispatchFetch(`https://${name}.example.com/v1/generate`, {
    method: 'POST',
    headers,
    body,
  })
  expect(created.status).toBe(202)
  return ((await created.json()) as { id: string }).id
}

const phaseOf = async (id: string) =>
  (await worker.dispatchFetch(`https://cron.example.com/phase/${id}`)).text()

test('a job in workerd that no client asks for stays where it is until a scheduled event, and ends by such events', async () => {
  const id = await create('cron')
  await delay(1500)
  expect(await phaseOf(id)).not.toBe('completed')
  const { scheduled } = (await worker.getWorker()) as unknown as Scheduled
  for (let minute = 0; minute < 20 && (await phaseOf(id)) !== 'completed'; minute++) {
    expect(await scheduled()).toMatchObject({ outcome: 'ok' })
    await delay(800)
  }
  expect(await phaseOf(id)).toBe('completed')
})

test('a job in workerd that no client asks for ends by calls of the cron handler at the times that it answers', async () => {
  const id = await create('cron')
  const cron = { headers: { authorization: 'Bearer secret-of-the-cron-1' } }
  let next: string | null = null
  let calls = 0
  do {
    const response = await worker.dispatchFetch('https://cron.example.com/cron', cron)
    expect(response.status).toBe(200)
    next = ((await response.json()) as { next_at: string | null }).next_at
    if (next !== null) await delay(Math.max(0, Date.parse(next) - Date.now()))
  } while (next !== null && ++calls < 50)
  expect(await phaseOf(id)).toBe('completed')
})

test('with waitUntil, a job in workerd that no client asks for ends without a cron', async () => {
  const id = await create('prompt')
  await expect.poll(() => phaseOf(id), { timeout: 15_000, interval: 500 }).toBe('completed')
})
