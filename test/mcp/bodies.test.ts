import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '@genmount/core/limits'
import { modernRequest } from './modern-request.ts'
import { keys, mcpService } from './servers/mcp-service.ts'
import { inProcess, start } from './servers/start-on-node.ts'

const mebibyte = 2 ** 20
const headersOf = (key: string = keys.alice) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

function posted(body: BodyInit, headers: Record<string, string> = {}): Request {
  return new Request('http://app.test/mcp', {
    method: 'POST',
    headers: { ...headersOf(), ...headers },
    body,
    duplex: 'half',
  } as RequestInit)
}

/** A body that announces 4 MiB, sends `sent` and then nothing more. */
function stalled(sent = '{', key: string = keys.alice): Request {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(sent)),
  })
  return posted(body, { ...headersOf(key), 'content-length': String(4 * mebibyte) })
}

interface Refusal {
  readonly jsonrpc: string
  readonly id: null
  readonly error: {
    readonly code: number
    readonly message: string
    readonly data: { readonly code: string }
  }
}

/** What a client of the protocol reads from a refused request. */
async function refusalIn(response: Response) {
  const { jsonrpc, id, error } = (await response.json()) as Refusal
  expect({ jsonrpc, id }).toEqual({ jsonrpc: '2.0', id: null })
  return { status: response.status, code: error.code, why: error.data.code, message: error.message }
}

afterEach(() => void vi.useRealTimers())

const calling = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_job","arguments":{"job_id":${args}}}}`

test.each([
  ['wide JSON', calling(`[0${',1'.repeat(1_000_000)}]`), 400, -32600, 'invalid_request', /10000 keys/],
  [
    'deep JSON',
    calling('['.repeat(100_000) + ']'.repeat(100_000)),
    400,
    -32600,
    'invalid_request',
    /64 levels/,
  ],
  ['a field __proto__', calling('{"__proto__":1}'), 400, -32600, 'invalid_request', /__proto__/],
  ['text that is no JSON', '{', 400, -32700, 'invalid_json', /valid JSON/],
  ['no text', '', 400, -32700, 'invalid_json', /empty/],
  ['5 MB', 'x'.repeat(5_000_000), 413, -32000, 'request_too_large', /4194304 bytes/],
] as const)(
  'the MCP endpoint refuses a body of %s with a JSON-RPC error that says why, and logs nothing',
  async (_name, body, status, code, why, message) => {
    const complaints = vi.spyOn(console, 'error').mockReturnValue()
    const { handle } = inProcess()
    const refusal = await refusalIn(await handle(posted(body)))
    expect(refusal).toEqual({ status, code, why, message: expect.stringMatching(message) })
    expect(complaints).not.toHaveBeenCalled()
  },
)

test('the MCP endpoint refuses another media type with 415 and a JSON-RPC error', async () => {
  const { handle } = inProcess()
  const response = await handle(posted('{}', { 'content-type': 'text/plain' }))
  expect(await refusalIn(response)).toMatchObject({
    status: 415,
    code: -32000,
    why: 'unsupported_media_type',
  })
})

test('the MCP endpoint refuses a body that stands still for 10 seconds with 408 and a JSON-RPC error', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { handle } = inProcess()
  const answer = handle(stalled())
  // The key is checked before the body is read.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => void setImmediate(resolve))
  await vi.advanceTimersByTimeAsync(11_000)
  expect(await refusalIn(await answer)).toMatchObject({ status: 408, code: -32000, why: 'request_timeout' })
})

test('the bodies of one key that stand still are refused with 503 above half of the budget, and another key is served', async () => {
  const { handle } = inProcess()
  const answers = Array.from({ length: 40 }, () => handle(stalled()))
  const first = await Promise.race(answers)
  expect(first.headers.get('retry-after')).toBe('3')
  expect(await refusalIn(first)).toMatchObject({ status: 503, code: -32000, why: 'capacity_exceeded' })
  const other = await handle(modernRequest('tools/list', {}, { authorization: `Bearer ${keys.bob}` }))
  expect(other.status).toBe(200)
})

test('the bytes of a body are free for the next body once its request was answered', async () => {
  const { handle } = inProcess()
  const authorization = `Bearer ${keys.alice}`
  const padded = (era: 'modern' | 'legacy') => {
    const args = { job_id: 'gen_none' }
    if (era === 'modern')
      return modernRequest(
        'tools/call',
        { name: 'get_job', arguments: args, pad: 'x'.repeat(3e6) },
        { authorization },
      )
    return posted(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"pad":"${'x'.repeat(3e6)}"}}`)
  }
  for (let count = 0; count < 40; count++) {
    const response = await handle(padded(count % 2 ? 'modern' : 'legacy'))
    expect(response.status).toBe(200)
    await response.text()
  }
})

test('an owner above the rate limit gets 429, Retry-After and a JSON-RPC error', async () => {
  const { service, handle } = mcpService({}, { plugins: [limits({ requestsPerMinute: 1 })] })
  onTestFinished(async () => void (await service.close()))
  const list = () => handle(modernRequest('tools/list', {}, { authorization: `Bearer ${keys.alice}` }))
  await list()
  const response = await list()
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refusalIn(response)).toMatchObject({ status: 429, code: -32000, why: 'rate_limit_exceeded' })
})

test('on Node a client that sends 1 byte at a time is refused with 400, and its connection is closed', async () => {
  const { baseUrl } = await start()
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(baseUrl)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const lines = Object.entries({ host: 'x', ...headersOf(), 'transfer-encoding': 'chunked' })
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  socket.write('1\r\n \r\n'.repeat(20_000))
  let text = ''
  socket.on('data', (piece) => (text += piece.toString()))
  await new Promise((resolve) => socket.once('close', resolve))
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('pieces that are too small')
  expect(text).toMatch(/connection: close/i)
})
