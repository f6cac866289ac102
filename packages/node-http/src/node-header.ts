import type { IncomingMessage } from 'node:http'

/** Headers of which Node keeps the first one and hides the others, and where another one changes the verdict. */
const singletons: ReadonlySet<string> = new Set(['authorization', 'content-type', 'host'])

/** A header's value, with all headers of one name joined, as the Fetch standard and the other hosts do. */
export function nodeHeader(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  if (value === undefined) return name === 'host' ? localAddress(req) : undefined
  if (typeof value !== 'string') return value.join(', ')
  return singletons.has(name) ? withHidden(value, name, req.rawHeaders) : value
}

/** All headers by their names in lower case, each as `nodeHeader` gives it. */
export function nodeHeaders(req: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.keys(req.headers).map((name) => [name, nodeHeader(req, name) ?? '']))
}

function withHidden(value: string, name: string, rawHeaders: readonly string[]): string {
  let joined = value
  let isFirst = true
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length !== name.length || rawHeaders[i]!.toLowerCase() !== name) continue
    if (!isFirst) joined += `, ${rawHeaders[i + 1]}`
    isFirst = false
  }
  return joined
}

/** HTTP/1.0 knows no Host header; what the client has connected to stands in for it. */
function localAddress({ socket }: IncomingMessage): string {
  const { localAddress = 'localhost', localPort } = socket
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`
}
