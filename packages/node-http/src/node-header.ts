import type { IncomingMessage } from 'node:http'

/**
 * Headers that may be sent once. If a client sends one of them twice, Node shows the first and hides the
 * second, but the interface must see both to refuse the request.
 */
const singletons: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host'])

/**
 * The value of a header. Several headers of one name are joined by `', '`, as the Fetch standard and other
 * hosts do.
 */
export function nodeHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  if (value === undefined) return name === 'host' ? localAddress(req) : undefined
  if (typeof value !== 'string') return value.join(', ')
  return singletons.has(name) ? allValues(value, name, req.rawHeaders) : value
}

/** All headers by their names in lower case, with the values that `nodeHeader` returns. */
export function nodeHeaders(req: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.keys(req.headers).map((name) => [name, nodeHeader(req, name) ?? '']))
}

function allValues(value: string, name: string, rawHeaders: readonly string[]): string {
  let joined: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length !== name.length || rawHeaders[i]!.toLowerCase() !== name) continue
    joined = joined === undefined ? value : `${joined}, ${rawHeaders[i + 1]}`
  }
  return joined ?? value
}

/**
 * The address that the client has connected to. It replaces the Host header, which HTTP/1.0 does not have.
 */
function localAddress({ socket }: IncomingMessage): string {
  const { localAddress: address = 'localhost', localPort } = socket
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
