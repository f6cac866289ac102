import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { memoryInUse } from '../../../../test/memory/memory-in-use.ts'
import { AnswerTooLargeError, vendorClient, type VendorClientOptions } from './vendor-client.ts'

const { signal } = new AbortController()

async function vendorThat(answer: RequestListener, options: Partial<VendorClientOptions> = {}) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    client: vendorClient({
      vendor: 'Acme',
      baseUrl: `${origin}/v1/`,
      headers: { authorization: 'Bearer s3cret' },
      ...options,
    }),
  }
}

test('a request is sent below the base URL with its headers and JSON, and its answer is read whole', async () => {
  const seen: unknown[] = []
  const { client, origin } = await vendorThat(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, url, headers } = request
    seen.push([method, url, headers.authorization, headers['content-type'], body])
    response.writeHead(201, { 'x-units': '3' }).end('{"id":"p1"}')
  })
  const answer = await client.ask({
    method: 'POST',
    path: '/tasks?a=1',
    json: { a: 'ü' },
    signal,
  })
  expect(answer).toMatchObject({ ok: true, status: 201, json: { id: 'p1' }, text: '{"id":"p1"}' })
  expect(answer.headers.get('x-units')).toBe('3')
  await client.ask({ method: 'GET', path: `${origin}/elsewhere`, signal })
  expect(seen).toEqual([
    ['POST', '/v1/tasks?a=1', 'Bearer s3cret', 'application/json', '{"a":"ü"}'],
    ['GET', '/elsewhere', 'Bearer s3cret', undefined, ''],
  ])
})

test('a secret of the request body that the vendor echoes is removed from the answer, also URL-encoded', async () => {
  const secret = 'sign/with=this'
  const { client } = await vendorThat(
    (_request, response) =>
      response.writeHead(422).end(JSON.stringify({ detail: `${secret} and ${encodeURIComponent(secret)}` })),
    { secrets: [secret] },
  )
  const answer = await client.ask({ method: 'POST', path: 'x', json: { secret }, signal })
  expect(answer.json).toEqual({ detail: '[secret] and [secret]' })
  expect(answer.text).not.toContain(secret)
})

test('an answer with an error status is returned, and a body that is no JSON gives no JSON', async () => {
  const { client } = await vendorThat((_request, response) => response.writeHead(502).end('<h1>Bad gateway'))
  expect(await client.ask({ method: 'GET', path: 'x', signal })).toMatchObject({
    ok: false,
    status: 502,
    text: '<h1>Bad gateway',
    json: undefined,
  })
})

test('a key that the vendor echoes is removed from the answer', async () => {
  const { client } = await vendorThat((request, response) =>
    response.writeHead(401).end(JSON.stringify({ detail: `Bad key ${request.headers.authorization}` })),
  )
  const answer = await client.ask({ method: 'GET', path: 'x', signal })
  expect(answer.json).toEqual({ detail: 'Bad key Bearer [secret]' })
})

test('an error of the vendor about the callback URL is passed on without it', async () => {
  const callbackUrl = 'https://app.example/callbacks/tok'
  const { client } = await vendorThat((_request, response) =>
    response.writeHead(422).end(`No webhook at ${callbackUrl} (${encodeURIComponent(callbackUrl)}).`),
  )
  const answer = await client.ask({ method: 'POST', path: 'x', callbackUrl, signal })
  expect(answer.text).toBe('No webhook at [callback] ([callback]).')
})

test('no request is sent to another origin, neither by a path nor by a redirect', async () => {
  let isAsked = false
  const other = await vendorThat((_request, response) => {
    isAsked = true
    response.end()
  })
  const { client } = await vendorThat((_request, response) =>
    response.writeHead(307, { location: `${other.origin}/steal` }).end(),
  )
  for (const path of [`${other.origin}/x`, 'https://acme.example/x', 'http://me:pw@127.0.0.1/x'])
    await expect(client.ask({ method: 'GET', path, signal })).rejects.toThrow('requests go only to')
  const redirected = client.ask({ method: 'GET', path: 'x', signal })
  await expect(redirected).rejects.toThrow('answered with a redirect')
  await expect(redirected).rejects.toMatchObject({ location: `${other.origin}/steal` })
  expect(inspect(await redirected.catch((error: unknown) => error))).not.toContain('steal')
  expect(isAsked).toBe(false)
})

test('an answer that is too large or breaks off rejects', async () => {
  const { client } = await vendorThat((request, response) => {
    if (request.url === '/v1/large') response.end(Buffer.alloc(2_000_000))
    else if (request.url === '/v1/error') response.writeHead(422).end(Buffer.alloc(2_000_000))
    else {
      response.writeHead(200, { 'content-length': 100 }).write('{"id":')
      setTimeout(() => response.destroy(), 20)
    }
  })
  await expect(client.ask({ method: 'GET', path: 'large', signal })).rejects.toThrow(
    new AnswerTooLargeError('Acme answered with more than 1048576 bytes.'),
  )
  expect((await client.ask({ method: 'GET', path: 'large', signal, maxBytes: 2_000_000 })).ok).toBe(true)
  await expect(client.ask({ method: 'GET', path: 'broken', signal })).rejects.toThrow()
  // For an error, the status and the beginning of the text are returned.
  const error = await client.ask({ method: 'GET', path: 'error', signal, maxBytes: 5_000_000 })
  expect([error.status, error.bytes.byteLength]).toEqual([422, 1_048_576])
})

/** A vendor that sends the same piece again and again, up to 100 MB, after `start`. It counts what was taken. */
async function vendorThatSends(start: string, piece: string) {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  const sent = { bytes: 0 }
  const { client } = await vendorThat(async (_request, response) => {
    response.write(start)
    for (; sent.bytes < 100_000_000 && response.writable; sent.bytes += chunk.length)
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    response.end()
  })
  return { client, sent }
}

const maxBytes = 256 * 1024 * 1024

test.each([
  ['many values', '{"id":"t","a":[0', ',1', 'has more than 100000 keys and values'],
  ['many keys', '{"a":1', ',"a":1', 'has more than 100000 keys and values'],
  ['many levels', '', '[', 'is nested more than 64 levels deep'],
  [
    'many levels behind white space and a byte order mark',
    '\ufeff \r\n\t',
    '[',
    'is nested more than 64 levels deep',
  ],
  [
    'much white space between values',
    '[',
    '\n'.repeat(100),
    'has more than 10000000 bytes outside of its strings',
  ],
])(
  'JSON of a vendor with %s is refused as too large while it arrives',
  async (_what, start, piece, words) => {
    const { client, sent } = await vendorThatSends(start, piece)
    await expect(client.ask({ method: 'GET', path: 'x', signal, maxBytes })).rejects.toThrow(
      new AnswerTooLargeError(`Acme answered with JSON that ${words}.`),
    )
    expect(sent.bytes).toBeLessThan(30_000_000)
  },
)

test('JSON of a vendor with pictures of 60 MB in base64 and 99,000 values is read, and a film that begins with brackets later', async () => {
  const json = JSON.stringify({
    model: 'a',
    data: [{ b64_json: '['.repeat(60_000_000) }],
    values: Array(98_990).fill(1),
  })
  const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(200_000, '[')])
  const { client } = await vendorThat(
    ({ url }, response) => void response.end(url === '/v1/film' ? film : json),
  )
  const answer = await client.ask({ method: 'GET', path: 'json', signal, maxBytes })
  expect(answer.json).toMatchObject({ values: expect.objectContaining({ length: 98_990 }) })
  expect((await client.ask({ method: 'GET', path: 'film', signal })).bytes).toHaveLength(film.length)
})

test('vendorClient reads an answer of up to maxValues values, and takes the last value of a field that the vendor names twice', async () => {
  const { client } = await vendorThat(
    (_request, response) => void response.end(`{"model":"a","model":"b","a":[0${',1'.repeat(150_000)}]}`),
  )
  const answer = await client.ask({ method: 'GET', path: 'x', signal, maxValues: 200_000 })
  expect(answer.json).toMatchObject({ model: 'b' })
})

test('the JSON of an error is not parsed if it has too many values or levels, and its status is returned', async () => {
  const { client } = await vendorThat(
    ({ url }, response) =>
      void response
        .writeHead(422)
        .end(url === '/v1/wide' ? `[0${',1'.repeat(100_000)}]` : `${'['.repeat(65)}${']'.repeat(65)}`),
  )
  for (const path of ['wide', 'deep'])
    expect(await client.ask({ method: 'GET', path, signal })).toMatchObject({ status: 422, json: undefined })
})

test('a gzip body without a header that says so is inflated, up to the limits of answers', async () => {
  let body: Uint8Array = gzipSync('{"id":"p1"}')
  let status = 200
  const { client } = await vendorThat((_request, response) => response.writeHead(status).end(body))
  const ask = () => client.ask({ method: 'GET', path: '/', signal, maxBytes: 10_000 })
  expect((await ask()).json).toEqual({ id: 'p1' })
  const random = Uint8Array.from({ length: 3000 }, (_, index) => (index * index) % 251)
  body = gzipSync(random)
  expect(Buffer.compare((await ask()).bytes, random)).toBe(0)
  for (const [packed, error] of [
    [gzipSync(Buffer.alloc(20_000)), AnswerTooLargeError],
    [gzipSync('['.repeat(100)), AnswerTooLargeError],
    [gzipSync(random).subarray(0, 20), Error],
  ] as const) {
    body = packed
    await expect(ask()).rejects.toThrow(error)
  }
  status = 502
  body = gzipSync('<title>Bad Gateway</title>')
  expect(await ask()).toMatchObject({ ok: false, text: '<title>Bad Gateway</title>' })
  body = gzipSync('no end').subarray(0, 20)
  expect(await ask()).toMatchObject({ ok: false, status: 502 })
})

test('the numbers that Python writes and JSON lacks are null, in time that grows with the text', async () => {
  let body = '{"a":NaN,"b":["NaN, \\" NaN",-Infinity, NaN],"c":"x:NaN"}'
  const { client } = await vendorThat((_request, response) => response.end(body))
  const ask = async () => (await client.ask({ method: 'GET', path: '/', signal, maxBytes: 1e7 })).json
  expect(await ask()).toEqual({ a: null, b: ['NaN, " NaN', null, null], c: 'x:NaN' })
  for (const broken of [
    `[NaN,${'"\\'.repeat(100_000)}`,
    `[NaN,"${'a'.repeat(1_000_000)}`,
    'NaN: not found',
  ]) {
    body = broken
    const from = performance.now()
    expect(await ask()).toBeUndefined()
    expect(performance.now() - from).toBeLessThan(5000)
  }
})

test('an aborted signal ends a call without an answer', async () => {
  const { client } = await vendorThat(() => {})
  const controller = new AbortController()
  const asked = client.ask({ method: 'GET', path: 'x', signal: controller.signal })
  controller.abort(new Error('Time is up.'))
  await expect(asked).rejects.toThrow('Time is up.')
})

test('a form is sent with its boundary, and aborting it causes no unhandled error', async () => {
  let seen = ''
  const { client } = await vendorThat(async (request, response) => {
    if (request.url === '/v1/never') return
    for await (const chunk of request) seen += chunk
    seen += request.headers['content-type']
    response.end('{}')
  })
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(500_000)]), 'a.png')
  await client.ask({ method: 'POST', path: 'form', form, signal })
  expect(seen).toMatch(/name="image"; filename="a.png"/)
  expect(seen).toMatch(/multipart\/form-data; boundary=/)
  const controller = new AbortController()
  const asked = client.ask({ method: 'POST', path: 'never', form, signal: controller.signal })
  setTimeout(() => controller.abort(new Error('Time is up.')), 20)
  await expect(asked).rejects.toThrow('Time is up.')
})

test('a wrong base URL or header throws a TypeError that does not show it', () => {
  const wrong = ['', 'acme', 'ftp://acme.example', 'https://me:pw@acme.example', undefined]
  const misleading = ['https://acme.example/v1?key=1', 'https://acme.example/#v1']
  for (const baseUrl of [...wrong, ...misleading])
    expect(() => vendorClient({ vendor: 'Acme', baseUrl: baseUrl as string })).toThrow('baseUrl must be')
  const baseUrl = 'https://acme.example'
  const headers = { 'x-key': 'a\nb' }
  expect(() => vendorClient({ vendor: 'Acme', baseUrl, headers })).toThrow(
    /^vendorClient: headers\['x-key'\] must be a text that HTTP can send\.$/,
  )
  const withPassword = 'https://me:pw@acme.example'
  expect(() => vendorClient({ vendor: 'Acme', baseUrl: withPassword })).toThrow(/^(?!.*pw)/)
})

test('an answer in half a million pieces takes little more memory than its bytes', async () => {
  const pieces = 500_000
  const before = memoryInUse().heapUsed
  let peak = 0
  let given = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given % 100_000 === 0) peak = Math.max(peak, memoryInUse().heapUsed - before)
      if (given++ === pieces) return controller.close()
      controller.enqueue(new Uint8Array(1))
    },
  })
  const client = vendorClient({
    vendor: 'Acme',
    baseUrl: 'https://acme.example',
    fetch: async () => new Response(body),
  })
  expect((await client.ask({ method: 'GET', path: 'tasks', signal })).bytes).toHaveLength(pieces)
  expect(peak).toBeLessThan(20_000_000)
})
