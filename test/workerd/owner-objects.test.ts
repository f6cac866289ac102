import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'

const base = 'https://media.example.com'
const keyed = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
let worker: Miniflare

beforeAll(async () => {
  worker = await bundledWorker('owner-objects/worker', {
    bindings: {
      KEY_OF_ALICE: 'key-of-alice',
      KEY_OF_BOB: 'key-of-bob',
      LINK_SECRET: 'a secret of at least 32 characters',
    },
    durableObjects: { MEDIA: { className: 'MediaObject', useSQLite: true } },
    r2Buckets: ['OUTPUTS'],
  })
})
afterAll(() => worker?.dispose())

function create(owner: string, key: string, prompt = 'a kite') {
  return worker.dispatchFetch(`${base}/${owner}/v1/generate?wait=true`, {
    method: 'POST',
    headers: keyed(key),
    body: JSON.stringify({ model: 'inline-image', prompt }),
  })
}

test('each owner has a service in a Durable Object, whose links lead to the files in R2 without a key', async () => {
  const created = await create('alice', 'key-of-alice')
  const { status, data } = (await created.json()) as { status: string; data: { url: string }[] }
  expect([created.status, status]).toEqual([200, 'completed'])
  const { pathname } = new URL(data[0]!.url)
  expect(pathname).toMatch(/^\/alice\/v1\/files\//)
  const redirect = await worker.dispatchFetch(base + pathname, {
    headers: keyed('key-of-alice'),
    redirect: 'manual',
  })
  const link = new URL(redirect.headers.get('location') ?? '', base)
  const file = await worker.dispatchFetch(base + link.pathname + link.search)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test("the object of one owner refuses another owner's key, and other names make no object", async () => {
  expect((await create('alice', 'key-of-bob')).status).toBe(401)
  expect((await create('bob', 'key-of-bob')).status).toBe(200)
  expect((await create('carol', 'key-of-bob')).status).toBe(404)
})

test('an input that is longer than a row of an object is refused with 413 before anything is stored', async () => {
  expect((await create('alice', 'key-of-alice', 'x'.repeat(2_000_000))).status).toBe(413)
})
