/** A request as a case writes it down; what it leaves out is what a well-behaved client sends. */
export interface SuiteRequest {
  /** @default POST with a body, GET without */
  readonly method?: string
  /** Below the mount path, sent as it stands: nothing is normalised or encoded. */
  readonly path: string
  /** Whose key goes into `Authorization`. @default alice */
  readonly as?: 'alice' | 'bob' | 'nobody'
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Sent as JSON unless it is text or bytes already. */
  readonly body?: object | string | Uint8Array
  /** `undefined` sends none. @default application/json with a body */
  readonly contentType?: string | undefined
  /** @default the length of the body, where there is one */
  readonly contentLength?: number | undefined
  /** @default true */
  readonly closes?: boolean
  /** @default HTTP/1.1 */
  readonly version?: string
}

/** Where a request goes and whose keys it may carry. */
export interface RequestTarget {
  readonly origin: URL
  readonly mountPath: string
  readonly keys: { readonly alice: string; readonly bob: string }
}

/** The bytes of a request: its head, and its body apart, so that a case can hold the body back. */
export function requestBytes(target: RequestTarget, request: SuiteRequest): { head: Buffer; body: Buffer } {
  const body = bodyBytes(request.body)
  const { as = 'alice', version = 'HTTP/1.1', headers = [] } = request
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST')
  const contentType =
    'contentType' in request ? request.contentType : body.length > 0 ? 'application/json' : undefined
  const contentLength =
    'contentLength' in request ? request.contentLength : request.body === undefined ? undefined : body.length
  const path = /^(https?:|\*)/.test(request.path) ? request.path : target.mountPath + request.path
  const has = (name: string) => headers.some(([given]) => given.toLowerCase() === name)
  const lines = [
    `${method} ${path} ${version}`,
    ...(has('host') ? [] : [`Host: ${target.origin.host}`]),
    ...(as === 'nobody' ? [] : [`Authorization: Bearer ${target.keys[as]}`]),
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...(contentLength === undefined ? [] : [`Content-Length: ${contentLength}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(request.closes === false ? [] : ['Connection: close']),
  ]
  return { head: Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body }
}

function bodyBytes(body: SuiteRequest['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (typeof body === 'string') return Buffer.from(body)
  return body instanceof Uint8Array ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
}

/** One chunk of a chunked body. */
export function chunk(bytes: string | Uint8Array): Buffer {
  const content = Buffer.from(bytes as string)
  return Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')])
}
