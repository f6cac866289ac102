import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { hasOnePath } from '../http/has-one-path.ts'

/** A request of node:http, as frameworks such as Express pass it on. */
export interface NodeRequest extends IncomingMessage {
  /** The whole path, including the mount path that a framework has removed from `url`. */
  readonly originalUrl?: string
  /** The body that `express.json()` has read. The request's stream can't be read again. */
  readonly body?: unknown
}

/**
 * Turns the handler of `toMcpHandler` into a listener of node:http, which Express and other frameworks accept too.
 * @example app.all('/mcp', toNodeMcpHandler(toMcpHandler(toFetchHandler(service, options))))
 */
export function toNodeMcpHandler(
  handle: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const target = targetOf(incoming)
    if (!target.startsWith('/') || !hasOnePath(`http://host${target}`))
      return void outgoing.writeHead(404).end()
    const leaving = new AbortController()
    // Node closes the request when its body has been read, and the response when the client is gone.
    outgoing.once('close', () => leaving.abort())
    try {
      const { status, headers, body } = await handle(webRequest(incoming, leaving.signal))
      if (outgoing.destroyed) return void (await body?.cancel())
      outgoing.writeHead(status, Object.fromEntries(headers))
      if (body === null) outgoing.end()
      else await pipeline(Readable.fromWeb(body as NodeStream), outgoing)
    } catch {
      // The client is gone, or has sent something that is not a valid request.
      if (!outgoing.headersSent) outgoing.writeHead(400)
      outgoing.end()
    }
  }
}

function targetOf({ originalUrl, url = '/' }: NodeRequest): string {
  return originalUrl ?? url
}

function webRequest(incoming: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', headers, socket } = incoming
  const scheme = 'encrypted' in socket ? 'https' : 'http'
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(':')
      ? []
      : [[name, [value].flat().join(', ')] as [string, string]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`${scheme}://${headers.host ?? 'localhost'}${targetOf(incoming)}`, {
    method,
    headers: pairs,
    signal,
    ...(hasBody && { body: bodyOf(incoming), duplex: 'half' as const }),
  })
}

function bodyOf(incoming: NodeRequest): BodyInit {
  const { body } = incoming
  if (body === undefined || !incoming.readableEnded)
    return Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>
  return typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body)
}
