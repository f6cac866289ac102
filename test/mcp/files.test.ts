import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { fakeFile } from '@genmount/testing'
import { expect, test } from 'vitest'
import { call, shownJob, textOf, typesOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys } from './servers/mcp-service.ts'
import { inProcess, start } from './servers/start-on-node.ts'

const { bytes: kiteBytes } = fakeFile('image')
const kite = { model: 'fake-image', prompt: 'a kite' }

test('a tool returns only a link to a picture that does not fit into maxPictureBytes', async () => {
  const { connect } = await start({ maxPictureBytes: 200 })
  const client = await connect()
  const two = await call(client, 'generate_image', { ...kite, num_outputs: 2 })
  expect(typesOf(two)).toEqual(['text', 'image', 'resource_link', 'resource_link'])
  const { connect: connectSmall } = await start({ maxPictureBytes: 10 })
  const none = await call(await connectSmall(), 'generate_image', kite)
  expect(typesOf(none)).toEqual(['text', 'resource_link'])
})

/** The files of its one job are in a bucket. */
function withBucket(request: Request): Response {
  const { pathname } = new URL(request.url)
  const job = {
    object: 'generation',
    id: 'gen_1',
    model: 'flux',
    output_kind: 'image',
    status: 'completed',
    cost_usd: 0,
    error: null,
    input: {},
    data: [{ url: 'http://app.test/v1/files/gen_1' }],
  }
  if (pathname.startsWith('/v1/files/'))
    return new Response(null, {
      status: 302,
      headers: { location: 'https://bucket.example/kite.png?signature=1' },
    })
  return Response.json(pathname === '/v1/models' ? { object: 'list', data: [] } : job)
}

test('a tool fetches a file in a bucket with the option fetch, without the API key, and without that option returns a link', async () => {
  const asked: unknown[] = []
  const getJob = async (fetch?: typeof globalThis.fetch) => {
    const params = { name: 'get_job', arguments: { job_id: 'gen_1' } }
    const request = modernRequest('tools/call', params, { authorization: 'Bearer key' })
    const { result } = (await (await toMcpHandler(withBucket, { fetch })(request)).json()) as {
      result: CallToolResult
    }
    return result
  }
  const linked = await getJob()
  expect(typesOf(linked)).toEqual(['text', 'resource_link'])
  expect(shownJob(linked).files[0]?.open_url).toBe('https://bucket.example/kite.png?signature=1')
  const fetched = await getJob(async (input, init) => {
    asked.push(input, Object.keys(init ?? {}))
    return new Response(kiteBytes, { headers: { 'content-type': 'image/png' } })
  })
  expect(fetched.content[1]).toMatchObject({
    type: 'image',
    mimeType: 'image/png',
    data: Buffer.from(kiteBytes).toString('base64'),
  })
  expect(asked).toEqual(['https://bucket.example/kite.png?signature=1', ['signal']])
})

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

test.each([
  ['an SVG', svg, 'image/svg+xml', undefined],
  ['an SVG that is called a PNG', svg, 'image/png', undefined],
  ['an AVIF', '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'image/avif', undefined],
  ['a HEIC', '\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'image/heic', undefined],
  ['a TIFF', 'II*\0\x08\0\0\0', 'image/tiff', undefined],
  ['a BMP', 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0', 'image/bmp', undefined],
  ['a page that is called a PNG', '<!doctype html>', 'image/png', undefined],
  ['a JPEG', '\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg', 'image/jpeg'],
  ['a JPEG that is called a PNG', '\xff\xd8\xff\xe0\0\x10JFIF', 'image/png', 'image/jpeg'],
  ['a GIF', 'GIF89a\x01\0\x01\0', 'image/gif', 'image/gif'],
  ['a WebP', 'RIFF\x24\0\0\0WEBPVP8 ', 'image/webp', 'image/webp'],
])(
  'a tool shows agents only pictures that models read, and links the others: %s',
  async (_what, text, type, shown) => {
    const fetch = async () => new Response(bytesOf(text), { headers: { 'content-type': type } })
    const params = { name: 'get_job', arguments: { job_id: 'gen_1' } }
    const response = await toMcpHandler(withBucket, { fetch })(modernRequest('tools/call', params))
    const { result } = (await response.json()) as { result: CallToolResult }
    expect(typesOf(result)).toEqual(shown ? ['text', 'image', 'resource_link'] : ['text', 'resource_link'])
    if (shown) expect(result.content[1]).toMatchObject({ mimeType: shown })
  },
)

test('a tool returns a link, the job and its cost when the download of a picture breaks off', async () => {
  const breaking = async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(8)),
      pull: (controller) => controller.error(new TypeError('terminated')),
    })
    return new Response(body, { headers: { 'content-type': 'image/png' } })
  }
  const params = { name: 'get_job', arguments: { job_id: 'gen_1' } }
  const request = modernRequest('tools/call', params, { authorization: 'Bearer key' })
  const response = await toMcpHandler(withBucket, { fetch: breaking })(request)
  const { result } = (await response.json()) as { result: CallToolResult }
  expect(typesOf(result)).toEqual(['text', 'resource_link'])
  expect(shownJob(result)).toMatchObject({ job_id: 'gen_1', cost_usd: 0 })
})

const editor = {
  id: 'editor',
  output_kind: 'image',
  price: null,
  input_schema: { properties: { image: {} } },
}

test('edit_image refuses a file of more than 4 MB by its name when the service takes no uploads', async () => {
  let isLeft = false
  const film = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
    cancel: () => void (isLeft = true),
  })
  async function serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/v1/models') return Response.json({ object: 'list', data: [editor] })
    if (pathname === '/v1/files/gen_1')
      return new Response(film, { headers: { 'content-length': '5000000' } })
    return Response.json({ error: { code: 'route_not_found', message: 'Nothing.' } }, { status: 404 })
  }
  const args = { image: 'genmount://files/gen_1/0' }
  const request = modernRequest('tools/call', { name: 'edit_image', arguments: args })
  const { result } = (await (await toMcpHandler(serve)(request)).json()) as { result: CallToolResult }
  expect(textOf(result)).toBe(
    'request_too_large: job://gen_1#0 has more than 4000000 bytes, and this service takes no uploads.',
  )
  expect(isLeft).toBe(true)
})

test.each(['job://gen_1#0', 'job://gen_1', 'genmount://files/gen_1/0'])(
  'edit_image passes %s on as a reference, without reading the file',
  async (image) => {
    const asked: string[] = []
    const created: unknown[] = []
    async function serve(request: Request): Promise<Response> {
      const { pathname } = new URL(request.url)
      asked.push(`${request.method} ${pathname}`)
      if (pathname === '/v1/models') return Response.json({ object: 'list', data: [editor] })
      if (pathname === '/v1/uploads')
        return new Response(null, { status: 204, headers: { allow: 'POST, OPTIONS' } })
      created.push(await request.json())
      return Response.json({ error: { code: 'invalid_request', message: 'enough' } }, { status: 400 })
    }
    const request = modernRequest('tools/call', {
      name: 'edit_image',
      arguments: { image: [image, 'data:,'] },
    })
    expect(await (await toMcpHandler(serve)(request)).text()).toContain('invalid_request: enough')
    expect(created).toEqual([{ model: 'editor', image: ['job://gen_1#0', 'data:,'] }])
    expect(asked).toEqual(['GET /v1/models', 'OPTIONS /v1/uploads', 'POST /v1/generate'])
  },
)

test('a tool returns the files of a service whose baseUrl is a public address', async () => {
  const { service } = inProcess()
  service.start()
  const baseUrl = 'https://media.example/public'
  const mcp = toMcpHandler(toFetchHandler(service, { authenticate: apiKeys(keys), baseUrl }))
  const params = { name: 'generate_image', arguments: kite }
  const response = await mcp(modernRequest('tools/call', params, { authorization: `Bearer ${keys.alice}` }))
  const { result } = (await response.json()) as { result: CallToolResult }
  expect(typesOf(result)).toEqual(['text', 'image', 'resource_link'])
  expect(shownJob(result).files[0]?.open_url).toMatch(/^https:\/\/media\.example\/public\/v1\/outputs\//)
})
