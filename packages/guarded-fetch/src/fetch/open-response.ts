import type { LookupAddress } from 'node:dns'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { LookUp } from '../lookup/look-up.ts'
import { isAllowedAddress, type AllowAddress } from '../rules/address-rules.ts'
import { addressRefusal } from '../rules/url-rules.ts'
import { networkRefusal } from './fetch-refused-error.ts'

/** How this package reaches the network. Tests replace it, to use host names of their own. */
export interface Network {
  readonly lookUp: LookUp
  /** Trusted certificates in PEM, which replace the system's. @default the system's */
  readonly ca?: string
}

/** One request. Each redirect needs a further request. */
export interface Hop {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The body to post. @default none: the request is a GET */
  readonly body?: Uint8Array
  readonly allowAddress: AllowAddress
  /** Aborting it closes the connection at once, even after the response has arrived. */
  readonly stop: AbortSignal
  /** The owner for whom the URL is fetched. Owners take turns when DNS look-ups have to wait. */
  readonly owner: string | undefined
}

// keepAlive is off, because a pooled connection is reused by host name, without a look-up and so without a check of its
// address. proxyEnv is empty, because with NODE_USE_ENV_PROXY=1 Deno lets a proxy look the name up, even with
// `agent: false`.
const agentOptions = { keepAlive: false, proxyEnv: {} }
const plain = { request: http.request, agent: new http.Agent(agentOptions) }
const secure = { request: https.request, agent: new https.Agent(agentOptions) }

/**
 * Sends a request and resolves when the head of the response has arrived. It checks the addresses of host names.
 * The caller has to check a URL that contains an IP address.
 * @throws FetchRefusedError `address` or `network`. It is `network` too when `stop` has closed the connection
 */
export function openResponse(
  network: Network,
  { url, headers, body, allowAddress, stop, owner }: Hop,
): Promise<IncomingMessage> {
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
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => reject(networkRefusal(url, error)))
    outgoing.on('close', () => reject(networkRefusal(url, undefined)))
    stop.addEventListener('abort', () => outgoing.destroy())
    outgoing.end(body)
  })
}
