import { once } from 'node:events'
import { createServer, type IncomingMessage, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { applyFault, passOn, type ProxyFault, type VendorAnswer } from './proxy-fault.ts'

/** A request that has reached the proxy completely. */
export interface ProxiedRequest {
  /** The method, such as `POST`. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, byte for byte. */
  readonly body: Uint8Array
}

/** A proxy on the loopback interface, between a provider and its vendor. */
export interface FaultProxy {
  /** The URL to give to the provider instead of the vendor's. It has the same path. */
  readonly baseUrl: string
  /** Every request that the proxy has received, in order, including those that did not reach the vendor. */
  readonly requests: readonly ProxiedRequest[]
  /** Breaks all connections and stops. */
  close(): Promise<void>
}

/** Headers that belong to one connection: each side of the proxy has its own. */
const hopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/**
 * Starts a proxy that makes chosen requests fail, on a free port of 127.0.0.1. It passes all other requests and their
 * answers on unchanged, including `Host`. A URL of the vendor in an answer is not changed, so it bypasses the proxy.
 * The proxy holds whole bodies in memory.
 * @param vendor the http URL of a test server in place of the vendor
 * @param faultFor called for each request, which is also the last of `requests`; returns its fault, or `undefined` for
 * none
 * @throws TypeError when `vendor` is not an http URL
 * @example
 * const proxy = await startFaultProxy('http://127.0.0.1:4000', ({ method }) =>
 *   method === 'POST' ? 'cut-after' : undefined,
 * )
 * await myProvider({ baseUrl: proxy.baseUrl }).submit(task, call) // rejects
 */
export async function startFaultProxy(
  vendor: string,
  faultFor: (request: ProxiedRequest) => ProxyFault | undefined = () => undefined,
): Promise<FaultProxy> {
  const target = URL.parse(vendor)
  if (target?.protocol !== 'http:')
    throw new TypeError('vendor must be an http URL of a test server such as http://127.0.0.1:4000.')
  const requests: ProxiedRequest[] = []

  const server = createServer((incoming, response) => {
    const answer = async () => {
      const body = await buffer(incoming)
      const { method = '', url: path = '' } = incoming
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, v]) => [name, `${v}`]))
      const request = { method, path, headers, body }
      requests.push(request)
      const fault = faultFor(request)
      const forward = () => forwarded(target, incoming, body)
      if (fault === undefined) passOn(await forward(), response)
      else await applyFault(fault, response, forward)
    }
    // The client has disconnected during its request, or the vendor has broken the connection.
    answer().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    baseUrl: `http://127.0.0.1:${port}${target.pathname.replace(/\/+$/, '')}`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function forwarded(target: URL, { method, url, rawHeaders }: IncomingMessage, body: Buffer) {
  const { hostname, port } = target
  const headers = [...withoutHopHeaders(rawHeaders), 'content-length', String(body.length)]
  const request = ask({ hostname, port, method, path: url, headers, agent: false })
  request.end(body)
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  const content = await buffer(answer)
  return {
    status: answer.statusCode ?? 0,
    headers: [...withoutHopHeaders(answer.rawHeaders), 'content-length', String(content.length)],
    body: content,
  } satisfies VendorAnswer
}

function withoutHopHeaders(raw: readonly string[]): string[] {
  return raw.filter((_text, i) => !hopHeaders.has((raw[i - (i % 2)] ?? '').toLowerCase()))
}
