import { memoryFileStore, type FileStore } from '@genmount/core'
import { expect, test } from 'vitest'
import { apiKeys } from '../access/api-keys.ts'
import type { V1Options } from '../interface/v1-options.ts'
import { kite, setUp } from '../test-kit/set-up.ts'

/** The interface over this file store, and a function that reads the output of a new job of this owner. */
function withFiles(files: FileStore, options: Partial<V1Options> = {}) {
  const { ask, log } = setUp({ service: { files }, options })
  return {
    log,
    async linkOf(key = 'alice-key') {
      const bearer = { authorization: `Bearer ${key}` }
      const { json: job } = await ask('POST /m/v1/generate?wait=true', kite, bearer)
      const { headers } = await ask(`GET /m/v1/files/${job.id}`, undefined, bearer)
      return new URL(headers['location']!).pathname
    },
    get: (path: string, given: Record<string, string> = {}, method = 'GET') =>
      ask(`${method} ${path}`, undefined, { authorization: '', ...given }),
  }
}

type Reply = Awaited<ReturnType<ReturnType<typeof withFiles>['get']>>

const readerOf = ({ body }: Reply) => (body as ReadableStream<Uint8Array>).getReader()

/** A store in which every file has ten chunks, and the number of open files. */
function tenChunks() {
  const state = { open: 0 }
  const read = () => {
    let left = 10
    state.open++
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        pull(controller) {
          controller.enqueue(new Uint8Array(1))
          if (--left > 0) return
          state.open--
          controller.close()
        },
        cancel: () => void state.open--,
      },
      { highWaterMark: 0 },
    )
  }
  const open = async () => ({ size: 10, contentType: 'image/png', sha256: '4f1c', read })
  return { state, files: { ...memoryFileStore(), open } }
}

test('only maxDownloads outputs are downloaded at a time, and only maxDownloadsPerOwner of one owner', async () => {
  const { state, files } = tenChunks()
  const { linkOf, get } = withFiles(files, { maxDownloads: 3, maxDownloadsPerOwner: 2 })
  const [alices, bobs] = [await linkOf(), await linkOf('bob-key')]
  const busy = {
    status: 503,
    headers: { 'retry-after': '3' },
    json: {
      error: { code: 'capacity_exceeded', message: 'Too many files are being downloaded. Try again.' },
    },
  }

  const first = readerOf(await get(alices))
  await get(alices)
  expect(await get(alices)).toMatchObject(busy)
  expect(await get(bobs)).toMatchObject({ status: 200 })
  expect(await get(bobs)).toMatchObject(busy)
  expect(state.open).toBe(3)

  await first.cancel()
  expect(await get(bobs)).toMatchObject({ status: 200 })
  expect(await get(alices)).toMatchObject(busy)
})

test('a download frees its place when it ends, and an answer without a file takes no place', async () => {
  const { state, files } = tenChunks()
  const { linkOf, get } = withFiles(files, { maxDownloads: 1 })
  const link = await linkOf()
  for (let i = 0; i < 3; i++) {
    expect(await get(link, {}, 'HEAD')).toMatchObject({ status: 200 })
    expect(await get(link, { 'if-none-match': '"4f1c"' })).toMatchObject({ status: 304 })
    expect(await get(link, { range: 'bytes=99-' })).toMatchObject({ status: 416 })
    const part = await get(link, { range: 'bytes=0-' })
    expect(part.status).toBe(206)
    expect((await new Response(part.body as ReadableStream).bytes()).length).toBe(10)
  }
  expect(state.open).toBe(0)
})

test.each(['open', 'read'] as const)(
  'a file that the store can not %s gives a 503 that names no path, and takes no place',
  async (what) => {
    const fault = Object.assign(new Error('EMFILE: too many open files, open /srv/outputs/4f1c'), {
      code: 'EMFILE',
    })
    let isBroken = true
    const read = () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        start: (controller) => (isBroken ? controller.error(fault) : controller.close()),
      })
    const open = async () => {
      if (isBroken && what === 'open') throw fault
      return { size: 0, contentType: 'image/png', read }
    }
    const { linkOf, get, log } = withFiles({ ...memoryFileStore(), open }, { maxDownloads: 1 })
    const link = await linkOf()
    for (let i = 0; i < 2; i++) {
      const reply = await get(link)
      expect(reply).toMatchObject({
        status: 503,
        headers: { 'retry-after': '3' },
        json: { error: { code: 'store_unavailable' } },
      })
      expect(reply.body).not.toContain('/srv')
    }
    expect(String(log.lines)).toContain('EMFILE')
    isBroken = false
    expect(await get(link)).toMatchObject({ status: 200 })
  },
)

test('a link is revoked with the key that made it where the app says so, and otherwise expires after an hour', async () => {
  const linkSecret = 'thirty-two characters or more of secret'
  const { files } = tenChunks()
  const before = apiKeys({ alice: ['alice-key', 'lost-key'] })
  const after = apiKeys({ alice: 'alice-key' })
  const bound = withFiles(files, { authenticate: before, isKeyValid: before.isKeyValid, linkSecret })
  const links = [await bound.linkOf(), await bound.linkOf('lost-key')]
  const statuses = async (options: Partial<V1Options>) => {
    const { get } = withFiles(files, { ...options, linkSecret })
    return [(await get(links[0]!)).status, (await get(links[1]!)).status]
  }
  expect(await statuses({ authenticate: before, isKeyValid: before.isKeyValid })).toEqual([200, 200])
  expect(await statuses({ authenticate: after, isKeyValid: after.isKeyValid })).toEqual([200, 404])
  expect(await statuses({ authenticate: after, isKeyValid: async () => false })).toEqual([404, 404])
  expect(await statuses({ authenticate: after })).toEqual([200, 200])
})

test('where links are revoked with their keys, a link without a key is invalid, and a key without an id makes no links', async () => {
  const linkSecret = 'thirty-two characters or more of secret'
  const { files } = tenChunks()
  const link = await withFiles(files, { linkSecret }).linkOf()
  expect(await withFiles(files, { linkSecret, isKeyValid: () => true }).get(link)).toMatchObject({
    status: 404,
    json: { error: { code: 'file_not_found' } },
  })
  for (const keyId of [undefined, '', 'k'.repeat(257)]) {
    const authenticate = () => ({ owner: 'alice', keyId })
    const { get, log } = withFiles(files, { authenticate, isKeyValid: () => true })
    expect(await get('/m/v1/jobs/gen_1', { authorization: 'Bearer a' })).toMatchObject({ status: 500 })
    expect(String(log.lines)).toMatch(
      /authenticate must give a keyId|the keyId that authenticate returns must be a name/,
    )
  }
})

test('a browser may cache an output as long as its link is valid; shared caches may not, and refusals are not cached', async () => {
  const { service } = setUp()
  let now = 1_000_000
  const { files } = tenChunks()
  const overrides = { files, clock: { ...service.clock, now: () => now } }
  const { ask } = setUp({ service: { ...service, ...overrides } })
  const { json: job } = await ask('POST /m/v1/generate?wait=true', kite)
  const { headers } = await ask(`GET /m/v1/files/${job.id}`)
  const path = new URL(headers['location']!).pathname
  const controls = async (line: string, given = {}) => {
    const reply = await ask(line, undefined, { authorization: '', ...given })
    return `${reply.status} ${reply.headers['cache-control']}`
  }
  const validSeconds = 3500
  for (const passedSeconds of [0, validSeconds - 1]) {
    now = 1_000_000 + passedSeconds * 1000
    const kept = `private, max-age=${validSeconds - passedSeconds}, immutable`
    expect(await controls(`GET ${path}`)).toBe(`200 ${kept}`)
    expect(await controls(`HEAD ${path}`)).toBe(`200 ${kept}`)
    expect(await controls(`GET ${path}`, { range: 'bytes=0-3' })).toBe(`206 ${kept}`)
    expect(await controls(`GET ${path}`, { 'if-none-match': '"4f1c"' })).toBe(`304 ${kept}`)
    expect(await controls(`GET ${path}`, { range: 'bytes=99-' })).toBe('416 no-store')
  }
  now = 1_000_000 + validSeconds * 1000
  expect(await controls(`GET ${path}`)).toBe('404 no-store')
})

test('where links are revoked with their keys, a browser revalidates a cached output before each use', async () => {
  const { files } = tenChunks()
  const keys = apiKeys({ alice: 'alice-key' })
  const { linkOf, get } = withFiles(files, { authenticate: keys, isKeyValid: keys.isKeyValid })
  const link = await linkOf()
  for (const given of [{}, { 'if-none-match': '"4f1c"' }])
    expect((await get(link, given)).headers['cache-control']).toBe('private, no-cache')
})

test('a page of any origin may show an output by its link, also a cross-origin isolated page', async () => {
  const { linkOf, get } = withFiles(tenChunks().files)
  const link = await linkOf()
  for (const given of [{}, { range: 'bytes=0-3' }, { 'if-none-match': '"4f1c"' }])
    expect((await get(link, given)).headers['cross-origin-resource-policy']).toBe('cross-origin')
})
