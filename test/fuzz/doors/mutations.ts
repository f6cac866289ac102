import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { spellingsOf } from '../../hosts/spellings.ts'
import type { RequestParts } from './valid-requests.ts'

/** A text that no answer and no log line may contain: it stands for a secret in a place where secrets do not belong. */
export const canary = 'secret-canary-5f2e1d0c9b8a7e6f'

/** Changes one part of a request. */
export type Mutation = (request: RequestParts) => RequestParts

/** Any of these words. */
const words = (...lines: readonly string[]) => fc.constantFrom(...lines.flatMap((line) => line.split(' ')))
const binary = fc.string({ unit: 'binary', maxLength: 30 })
/** As one byte for each character: what may stand in a header, and what may not. */
const latin = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes))
const awkward = fc.oneof(
  words(
    '%00 %0a %1b[31m %7f %C2%9B %E0%A4%A .. %2e%2e %2f // ? # % ; \\ %C0%AF { | & = + n=1 wait=true 0 -1',
  ),
  words('v1 jobs files outputs generate events mcp healthz __proto__ constructor openapi.json deliveries'),
  fc.constantFrom(
    '\t',
    ' ',
    '\u0001',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u009b',
    '\u00ff',
    'a'.repeat(9000),
    '/'.repeat(2000),
  ),
  latin,
)
const headerNames = words(
  'prefer idempotency-key range if-range if-none-match content-type content-encoding last-event-id host cookie expect te',
  'x-forwarded-host x-forwarded-proto x-request-id accept accept-encoding origin referer user-agent upgrade connection',
  'access-control-request-method mcp-session-id mcp-protocol-version mcp-method mcp-name authorization traceparent',
)
const headerValues = fc.oneof(
  latin,
  words(
    'bytes=0- bytes=-1 bytes=9-1 wait=99999999999 gzip 100-continue websocket h2c -1 9e99 * null application/xml',
  ),
  fc.constantFrom(
    'multipart/form-data; boundary=',
    'application/json; charset=\u00ff',
    'a'.repeat(7000),
    `Bearer ${canary}`,
  ),
  fc.constantFrom(
    `Basic ${canary}`,
    `session=${canary}`,
    `\u001b[31m${canary}\u0007`,
    `Bearer ${canary}\u0000`,
    `Bearer\t${canary}`,
  ),
)
const wild = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  binary,
  fc.double({ noNaN: true }),
  fc.constantFrom(
    '\ud800',
    'data:,',
    'data:image/png;base64,%%%',
    'upload://up_zz/../..%00',
    'file:///etc/passwd',
    'x'.repeat(70_000),
  ),
  fc.constantFrom(
    'http://127.0.0.1/',
    `https://user:${canary}@host/`,
    Number.MAX_SAFE_INTEGER,
    -0,
    null,
    [],
    {},
  ),
)
const fieldNames = fc.oneof(
  words(
    'model prompt image metadata webhook_url webhook_events ends delay_ms jsonrpc id method params name arguments',
  ),
  words(
    'job_id wait idempotency_key _meta uri progressToken protocolVersion __proto__ constructor handle toString',
  ),
  binary,
)

function withHeader(request: RequestParts, name: string, value: string): RequestParts {
  return { ...request, headers: [...request.headers, [name, value]] }
}

const ofMethods = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND get G\u0000T').map(
  (method): Mutation =>
    (request) => ({ ...request, method }),
)

const ofTargets = fc.oneof(
  fc.tuple(awkward, fc.nat(30)).map(([text, at]): Mutation => (request) => ({
    ...request,
    target: request.target.slice(0, at) + text + request.target.slice(at),
  })),
  fc.tuple(awkward, awkward, awkward).map(([a, b, c]): Mutation => (request) => ({
    ...request,
    target: `${request.target}?${a}=${b}&key=${canary}&${c}`,
  })),
  fc.tuple(fc.nat(), awkward).map(([lot, text]): Mutation => (request) => {
    const segments = request.target.split('/')
    return { ...request, target: segments.with(lot % segments.length, text).join('/') }
  }),
  fc.nat().map((lot): Mutation => (request) => {
    const spellings = spellingsOf('', request.target)
    const { target, host } = spellings[lot % spellings.length]!
    return withHeader({ ...request, target }, 'host', host)
  }),
)

const ofHeaders = fc.oneof(
  fc
    .tuple(fc.oneof({ weight: 9, arbitrary: headerNames }, { weight: 1, arbitrary: latin }), headerValues)
    .map(
      ([name, value]): Mutation =>
        (request) =>
          withHeader(request, name, value),
    ),
  fc.tuple(fc.nat(), headerValues).map(([lot, value]): Mutation => (request) => {
    const { headers } = request
    if (headers.length === 0) return request
    const at = lot % headers.length
    return { ...request, headers: headers.with(at, [headers[at]![0], value]) }
  }),
  fc.nat().map((lot): Mutation => (request) => ({
    ...request,
    headers: request.headers.toSpliced(lot % (request.headers.length + 1), 1),
  })),
  fc.integer({ min: 20, max: 300 }).map((count): Mutation => (request) => ({
    ...request,
    headers: [...request.headers, ...Array.from({ length: count }, () => ['x-many', 'a'] as const)],
  })),
)

/** Changes the value of a JSON body, if the request has one. */
function ofValue(change: (value: Record<string, unknown>) => unknown): Mutation {
  return (request) => {
    if (!request.body) return request
    try {
      const value: unknown = JSON.parse(Buffer.from(request.body).toString())
      const text = JSON.stringify(change(value as Record<string, unknown>))
      return { ...request, body: Buffer.from(text) }
    } catch {
      return request
    }
  }
}

/** Puts the value into the object, or at some depth into the objects in it. */
function put(into: Record<string, unknown>, name: string, value: unknown, depth: number): unknown {
  const inner = Object.entries(into).find(([, each]) => typeof each === 'object' && each !== null)
  if (depth > 0 && inner)
    return { ...into, [inner[0]]: put(inner[1] as Record<string, unknown>, name, value, depth - 1) }
  return { ...into, [name]: value }
}

function nested(levels: number): unknown {
  let value: unknown = 'a'
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
  return value
}

/** Changes the bytes of a body, if the request has one. */
const ofBytes =
  (change: (body: Uint8Array) => Uint8Array): Mutation =>
  (request) =>
    request.body ? { ...request, body: change(request.body) } : request

const ofBodies = fc.oneof(
  fc
    .tuple(fieldNames, wild, fc.nat(2))
    .map(([name, value, depth]) => ofValue((whole) => put(whole, name, value, depth))),
  fieldNames.map((name) => ofValue(({ [name]: _, ...others }) => others)),
  wild.map((value) => ofValue(() => value)),
  fc
    .integer({ min: 10, max: 3000 })
    .map((levels) => ofValue((whole) => ({ ...whole, prompt: nested(levels) }))),
  fc
    .constantFrom(10, 1000, 50_000)
    .map((count) => ofValue((whole) => ({ ...whole, a: Array.from({ length: count }, () => ({})) }))),
  fc.constantFrom(3, 40).map((count) => ofValue((whole) => Array.from({ length: count }, () => whole))),
  fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 8 })).map(([lot, bytes]) =>
    ofBytes((body) => {
      const at = lot % (body.length + 1)
      return Buffer.concat([body.subarray(0, at), bytes, body.subarray(at)])
    }),
  ),
  fc.nat().map((lot) => ofBytes((body) => body.subarray(0, lot % (body.length + 1)))),
  fc
    .constantFrom('\ufeff', '\u0000', '{"__proto__":{},', '[')
    .map((start) => ofBytes((body) => Buffer.concat([Buffer.from(start), body]))),
  fc.constantFrom(gzipSync, deflateSync).map(
    (pack): Mutation =>
      (request) =>
        withHeader(ofBytes(pack)(request), 'content-encoding', pack === gzipSync ? 'gzip' : 'deflate'),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes): Mutation => (request) => ({ ...request, body: bytes })),
)

/** Any change of a request, but for how it is sent. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 1, arbitrary: ofMethods },
  { weight: 3, arbitrary: ofTargets },
  { weight: 3, arbitrary: ofHeaders },
  { weight: 4, arbitrary: ofBodies },
)
