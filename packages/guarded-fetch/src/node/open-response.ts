import { Buffer } from 'node:buffer'
import type { LookupAddress } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { networkRefusal } from '../fetch/fetch-refused-error.ts'
import type { Hop, OpenedResponse } from '../fetch/open-hop.ts'
import type { LookUp } from '../lookup/look-up.ts'
import { isAllowedAddress } from '../rules/address-rules.ts'
import { addressRefusal } from '../rules/url-rules.ts'

/** How this package reaches the network. Tests replace it, to use host names of their own. */
export interface Network {
  readonly lookUp: LookUp
  /** Trusted certificates in PEM, which replace the system's. @default the system's */
  readonly ca?: string
}

// keepAlive is off, because a pooled connection is reused by host name, without a look-up and so without a check of its
// address. proxyEnv is empty, because with NODE_USE_ENV_PROXY=1 Deno lets a proxy look the name up, even with
// `agent: false`.
const agentOptions = { keepAlive: false, proxyEnv: {} }
const plain = { request: http.request, agent: new http.Agent(agentOptions) }
const secure = { request: https.request, agent: new https.Agent(agentOptions) }

/** An {@link OpenHop} through `node:http`. It checks the addresses of host names, at the moment of connecting. */
export function openResponse(
  network: Network,
  { url, headers, body, allowAddress, stop, owner }: Hop,
): Promise<OpenedResponse> {
  return new Promise((resolve, reject) => {
    // Node connects only to addresses that this function returns.
    const lookup: LookupFunction = (hostname, options, answer) =>
      void allowedAddresses(hostname).then(
        ([first, ...others]) => {
          if (options.all) answer(null, [first, ...others])
          else answer(null, first.address, first.family)
        },
        (error) => answer(error, []),
      )
    async function allowedAddresses(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
      const addresses = await network.lookUp(hostname, stop, owner)
      try {
        const [first, ...others] = addresses.filter(({ address }) => isAllowedAddress(address, allowAddress))
        if (first === undefined) throw addressRefusal(url)
        return [first, ...others]
      } catch (refusal) {
        reject(refusal)
        throw refusal
      }
    }
    const { request, agent } = url.protocol === 'https:' ? secure : plain
    const posting = body && { method: 'POST', headers: { ...headers, 'content-length': body.byteLength } }
    const ca = network.ca && { ca: network.ca }
    const outgoing = request(url, { agent, headers, lookup, ...posting, ...ca })
    outgoing.on('response', (response) => resolve(opened(response)))
    outgoing.on('error', (error) => reject(networkRefusal(url, error)))
    outgoing.on('close', () => reject(networkRefusal(url, undefined)))
    stop.addEventListener('abort', () => outgoing.destroy())
    outgoing.end(body)
  })
}

function opened(response: IncomingMessage): OpenedResponse {
  return {
    status: response.statusCode ?? 0,
    header: (name) => asUtf8(response.headers[name]?.toString()),
    headers() {
      const headers = new Headers()
      for (const [name, values = []] of Object.entries(response.headersDistinct))
        for (const value of values) headers.append(name, value)
      return headers
    },
    chunks: (isGzip) => (isGzip ? inflated(response) : response)[Symbol.asyncIterator](),
    close: () => void response.destroy(),
  }
}

/** The bytes in a gzip body. An error of the response becomes one of these bytes, and ends both. */
function inflated(response: IncomingMessage): Readable {
  return pipeline(response, createGunzip(), () => {})
}

/** Only ASCII is allowed in `location`, but some servers send UTF-8, which node:http decodes as Latin-1. */
function asUtf8(latin1: string | undefined): string | undefined {
  return latin1 === undefined ? undefined : Buffer.from(latin1, 'latin1').toString()
}
