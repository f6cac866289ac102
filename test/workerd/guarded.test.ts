import type { Miniflare } from 'miniflare'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoopbackServer, listen } from '../loopback.ts'
import { bflKey, startBfl } from '../providers/bfl/bfl-fake.ts'
import { bundledWorker } from './bundled-worker.ts'

let worker: Miniflare
let server: LoopbackServer
const paths: string[] = []
const picture = Buffer.alloc(200_000, 7)
const redirects: Readonly<Record<string, string>> = {
  '/to-private': 'http://10.0.0.1/',
  '/to-metadata': 'http://169.254.169.254/latest/meta-data/',
  '/to-mapped': 'http://[::ffff:10.0.0.1]/',
  '/to-name': 'http://printer.local/',
  '/to-scheme': 'file:///etc/passwd',
  '/to-file': '/file',
  '/to-umlaut': Buffer.from('/ä').toString('latin1'),
}

beforeAll(async () => {
  server = await listen((request, response) => {
    const path = request.url ?? ''
    paths.push(path)
    const location = redirects[path]
    if (location !== undefined) return response.writeHead(302, { location }).end()
    if (path === '/slow') return
    const type = { 'content-type': 'image/png' }
    if (path === '/gzip')
      return response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(gzipSync(picture))
    if (path === '/page') return response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
    response.writeHead(200, type).end(picture)
  })
  worker = await bundledWorker('guarded-worker')
})
afterAll(async () => {
  await worker?.dispose()
  await server?.stop()
})

async function ask(path: string, order: object): Promise<Record<string, unknown>> {
  const answer = await worker.dispatchFetch(`https://app.test${path}`, {
    method: 'POST',
    body: JSON.stringify(order),
  })
  return (await answer.json()) as Record<string, unknown>
}

test.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://10.1.2.3/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[fd00::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost/',
  'http://app.localhost./',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://intranet/',
])('in workerd, guardedFetch and guardedPost send nothing to %s', async (url) => {
  const refusal = { refused: 'address', message: expect.stringContaining('is refused') }
  expect([await ask('/fetch', { url }), await ask('/post', { url })]).toEqual([refusal, refusal])
})

test.each([
  ['/to-private', 'address'],
  ['/to-metadata', 'address'],
  ['/to-mapped', 'address'],
  ['/to-name', 'address'],
  ['/to-scheme', 'scheme'],
])('in workerd, guardedFetch follows no redirect %s', async (path, reason) => {
  expect(await ask('/fetch', { url: server.origin + path, loopback: true })).toMatchObject({
    refused: reason,
  })
})

test('in workerd, guardedFetch follows a redirect to a URL that it may fetch, and reads the file whole', async () => {
  for (const [path, end] of [
    ['/to-file', '/file'],
    ['/to-umlaut', '/%C3%A4'],
    ['/gzip', '/gzip'],
  ] as const) {
    const answer = await ask('/fetch', { url: server.origin + path, loopback: true })
    expect(answer).toEqual({ url: server.origin + end, type: 'image/png', size: 200_000, last: 7 })
  }
})

test.each([
  ['a body that is too long', '/file', { maxBytes: 100_000 }, 'too_large'],
  ['a body that is too long when it is inflated', '/gzip', { maxBytes: 100_000 }, 'too_large'],
  ['a server that does not answer', '/slow', { timeoutMs: 300 }, 'timeout'],
  ['another media type', '/page', {}, 'content_type'],
])('in workerd, guardedFetch refuses %s', async (_, path, limits, reason) => {
  const answer = await ask('/fetch', { url: server.origin + path, loopback: true, ...limits })
  expect(answer).toMatchObject({ refused: reason })
})

test('in workerd, a server that can not be reached is a refusal that may pass', async () => {
  const gone = await listen(() => {})
  await gone.stop()
  expect(await ask('/fetch', { url: gone.origin, loopback: true })).toMatchObject({ refused: 'network' })
})

test('in workerd, a picture is made at a vendor, and a signed webhook tells of it', async () => {
  const vendor = await startBfl({ polls: 1 })
  const secret = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
  const received: { text: string; headers: Record<string, string> }[] = []
  const receiver = await listen((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      received.push({ text, headers: request.headers as Record<string, string> })
      response.end()
    })
  })
  const hook = `${receiver.origin}/hook`
  const made = await ask('/make', { vendor: vendor.origin, token: bflKey, hook, secret })
  expect(made).toMatchObject({ phase: 'completed', attempts: [{ status: 200 }] })
  const event = new Webhook(secret).verify(received[0]!.text, received[0]!.headers)
  expect(event).toMatchObject({ type: 'job.completed', data: { id: made['id'] } })
  expect(vendor.ledger).toHaveLength(1)
  await Promise.all([vendor.close(), receiver.stop()])
})
