import { modernRequestParts } from '../../mcp/modern-request.ts'

/** A request, in parts that can be changed one by one. */
export interface RequestParts {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array
}

/** What the clients have heard of the server so far, the newest last. */
export interface Heard {
  readonly jobs: string[]
  readonly uploads: string[]
  /** The paths of files and of inputs, each with a signature. */
  readonly links: string[]
  /** The paths of callbacks. */
  readonly callbacks: string[]
}

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEXIPDKD4tJdAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAC0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=',
  'base64',
)
const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value))

/** What decides which request is made, each a number from 0 up to 1. */
export type Lots = Readonly<Record<'kind' | 'id' | 'owner' | 'input', number>>

const inputs = [
  { prompt: 'a kite' },
  { prompt: 'a kite', delay_ms: 300 },
  { prompt: 'a kite', delay_ms: 1200, webhook_url: 'https://receiver.example/410' },
  { prompt: 'a\u0000kite\nJob gen_1 has failed.\u001b[31m\u009b', ends: 'failed' },
  { prompt: 'bad key\r\nBearer secret-canary-5f2e1d0c9b8a7e6f', ends: 'thrown' },
  { prompt: '\u2028\u202e\u0085', ends: 'refused' },
  { prompt: 'no picture\u0007', ends: 'text' },
  { prompt: 'unknown\u007f', delay_ms: 200, ends: 'lost' },
  { prompt: 'a kite', metadata: { a: 'b' }, webhook_url: 'https://receiver.example/hook' },
]
const tools = ['generate_image', 'generate_video', 'edit_image', 'get_job', 'cancel_job', 'list_models']
const agentMethods = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'ping',
  'tasks/list',
  'server/discover',
]

const pick = <Item>(items: readonly Item[], lot: number): Item => items[Math.floor(lot * items.length)]!

/** A request that the server accepts, or would accept if the job, upload or link were still there. */
export function validRequest(heard: Heard, keys: readonly string[], lots: Lots): RequestParts {
  const job = pick(['gen_0', ...heard.jobs.slice(-20)], lots.id)
  const upload = pick(['up_0', ...heard.uploads.slice(-20)], lots.id)
  const authorization = ['authorization', `Bearer ${pick(keys, lots.owner)}`] as const
  const json = ['content-type', 'application/json'] as const
  const get = (target: string, ...headers: RequestParts['headers']): RequestParts => ({
    method: 'GET',
    target,
    headers: [authorization, ...headers],
  })
  const post = (target: string, value: unknown, ...headers: RequestParts['headers']): RequestParts => ({
    method: 'POST',
    target,
    headers: [authorization, json, ...headers],
    body: bytesOf(value),
  })
  const input = { model: lots.owner < 0.5 ? 'doors-image' : 'doors-film', ...pick(inputs, lots.input) }
  const withUpload = { ...input, image: `upload://${upload}` }
  const accept = ['accept', 'application/json, text/event-stream'] as const
  const rpc = (message: unknown) => post('/mcp', message, accept)
  const args = { ...input, job_id: job, wait: lots.id < 0.5 }
  const call = { name: pick(tools, lots.input), arguments: args }
  const modern = modernRequestParts('tools/call', call)

  return pick<() => RequestParts>(
    [
      () => post('/v1/generate', input),
      () => post('/v1/generate?wait=true', input, ['idempotency-key', `key-${Math.floor(lots.id * 50)}`]),
      () => post('/v1/images/generations', withUpload, ['prefer', 'wait=1']),
      () => post('/v1/video/generations', withUpload, ['origin', 'https://page.example']),
      () => get(`/v1/jobs/${job}`),
      () => get(`/v1/jobs?limit=${Math.floor(lots.input * 30)}&status=completed`),
      () => post(`/v1/jobs/${job}/cancel`, {}),
      () => ({ ...get(`/v1/jobs/${job}`), method: 'DELETE' }),
      () => get(`/v1/jobs/${job}/events`, ['last-event-id', `${Math.floor(lots.input * 9)}`]),
      () => get(`/v1/jobs/${job}/events`, ['accept', 'text/event-stream']),
      () => get(`/v1/jobs/${job}/deliveries`),
      () => get(`/v1/files/${job}?n=${Math.floor(lots.input * 3)}`, ['range', 'bytes=0-9,20-']),
      () => get('/v1/models'),
      () => get('/v1/models/doors-image'),
      () => get('/v1/openapi.json'),
      () => ({
        ...post('/v1/uploads', 0),
        headers: [authorization, ['content-type', 'image/png']],
        body: picture,
      }),
      () => ({ ...get(`/v1/uploads/${upload}`), method: 'DELETE' }),
      () => get(pick(['/v1/outputs/a/b', ...heard.links.slice(-20)], lots.id), ['range', 'bytes=5-']),
      () =>
        post(pick(['/v1/callbacks/doors/gen_0/0', ...heard.callbacks.slice(-20)], lots.id), {
          handle: lots.id,
        }),
      () => rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      () =>
        rpc({
          jsonrpc: '2.0',
          id: 'a',
          method: 'tools/call',
          params: { ...call, _meta: { progressToken: 1 } },
        }),
      () => post('/mcp', JSON.parse(modern.body), ...Object.entries(modern.headers)),
      () => rpc({ jsonrpc: '2.0', id: 2, method: pick(agentMethods, lots.input) }),
      () => rpc({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
      () =>
        rpc({
          jsonrpc: '2.0',
          id: 3,
          method: 'resources/read',
          params: { uri: `genmount://files/${job}/0` },
        }),
      () =>
        rpc({
          jsonrpc: '2.0',
          id: 4,
          method: 'initialize',
          params: {
            protocolVersion: '2025-06-18',
            capabilities: {},
            clientInfo: { name: 'a', version: '1' },
          },
        }),
      () => rpc([1, 2, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }))),
      () => get('/mcp', ['accept', 'text/event-stream'], ['mcp-session-id', 'a']),
      () => ({ method: 'OPTIONS', target: '/mcp', headers: [['origin', 'https://page.example']] }),
      () => get('/', ['if-none-match', '"a"']),
      () => get('/?key=a'),
      () => get('/healthz'),
    ],
    lots.kind,
  )()
}
