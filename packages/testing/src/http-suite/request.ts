/** A request of a case. The defaults are those of a correct client. */
export interface SuiteRequest {
  /** The method. @default POST with a body, GET without */
  readonly method?: string
  /** The path after the mount path. It is sent unchanged: nothing is normalised or encoded. */
  readonly path: string
  /** The owner whose key is sent in `Authorization`. @default alice */
  readonly as?: 'alice' | 'bob' | 'carol' | 'nobody'
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Text and bytes are sent unchanged, an object as JSON. @default no body */
  readonly body?: object | string | Uint8Array
  /** The Content-Type header; `undefined` sends none. @default application/json with a body */
  readonly contentType?: string | undefined
  /** The Content-Length header. @default the length of the body, if there is a body */
  readonly contentLength?: number | undefined
  /** Whether the request asks the server to close the connection after its reply. @default true */
  readonly closes?: boolean
  /** The version in the request line. @default HTTP/1.1 */
  readonly version?: string
}

/** The server that a request goes to, and the keys that it may use. */
export interface RequestTarget {
  readonly origin: URL
  readonly mountPath: string
  readonly keys: { readonly alice: string; readonly bob: string; readonly carol?: string }
}

/**
 * The bytes of a request. Head and body are separate, so that a case can send the body later or not at all.
 */
export function requestBytes(target: RequestTarget, request: SuiteRequest): { head: Buffer; body: Buffer } {
  const body = bodyBytes(request.body)
  const { as = 'alice', version = 'HTTP/1.1', headers = [] } = request
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST')
  const contentType =
    'contentType' in request ? request.contentType : body.length > 0 ? 'application/json' : undefined
  const contentLength =
    'contentLength' in request ? request.contentLength : request.body === undefined ? undefined : body.length
  const path = /^(https?:|\*)/.test(request.path) ? request.path : target.mountPath + request.path
  const has = (name: string) => headers.some(([field]) => field.toLowerCase() === name)
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
