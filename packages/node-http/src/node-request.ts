import type { IncomingMessage } from 'node:http'

/*
 * Not every request of node:http comes from a connection. serverless-express, serverless-http and their like make one from
 * an event of AWS Lambda: `content-length` is a number, `rawHeaders` may be empty or missing, and the socket may be a plain
 * object or missing. So headers, scheme and address of a request are read here and nowhere else.
 */

/**
 * Headers that may be sent once. If a client sends one of them twice, Node shows the first and hides the
 * second, but the interface must see both to refuse the request.
 */
const singletons: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host'])

/**
 * The value of a header as text. Several headers of one name are joined by `', '`, as the Fetch standard and other
 * hosts do. A request without a `Host` header has the address that the client has connected to as its `host`.
 * @param name in lower case
 */
export function nodeHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  if (value === undefined) return name === 'host' ? localAddress(req) : undefined
  if (Array.isArray(value)) return value.join(', ')
  return singletons.has(name) ? allValues(value, name, req.rawHeaders) : String(value)
}

/** All headers by their names in lower case, with the values that `nodeHeader` returns. */
export function nodeHeaders(req: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.keys(req.headers).map((name) => [name, nodeHeader(req, name) ?? '']))
}

/** How the request has reached this process. */
export function nodeScheme({ socket }: IncomingMessage): 'http' | 'https' {
  return 'encrypted' in (socket ?? {}) ? 'https' : 'http'
}

function allValues(value: string, name: string, rawHeaders: readonly string[] = []): string {
  let joined: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length !== name.length || rawHeaders[i]!.toLowerCase() !== name) continue
    joined = joined === undefined ? value : `${joined}, ${rawHeaders[i + 1]}`
  }
  return joined ?? value
}

/**
 * The address that the client has connected to. It replaces the Host header, which HTTP/1.0 does not have.
 * @returns `undefined` for a request without a connection
 */
function localAddress({ socket }: IncomingMessage): string | undefined {
  const { localAddress: address = 'localhost', localPort } = socket ?? {}
  if (localPort === undefined) return undefined
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
