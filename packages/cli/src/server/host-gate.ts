import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopbackHost } from '@genmount/core/addresses'
import type { Settings } from './settings.ts'

/** A Host header that names one host: the name or the address, and a port. */
const hostAndPort = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Answers a request with 403 if its Host header is not allowed. @returns whether it has answered */
export type HostGate = (req: IncomingMessage, res: ServerResponse) => boolean

/**
 * While API_KEYS is not set, accepts requests only for this machine, HOST and BASE_URL. A web page can make the name of
 * its own host point to 127.0.0.1 (DNS rebinding). For the browser, the server then belongs to the page, and the page
 * could use the published key.
 */
export function hostGate({ ownKey, host, baseUrl }: Settings): HostGate {
  if (ownKey === undefined) return () => false
  const allowed = new Set([host, `[${host}]`, baseUrl && new URL(baseUrl).hostname])

  return ({ headers }, res) => {
    const [, name = ''] = hostAndPort.exec(headers.host ?? '') ?? []
    const lower = name.toLowerCase()
    if (isLoopbackHost(lower) || allowed.has(lower)) return false
    const message =
      'While API_KEYS is not set, this server accepts requests only for localhost and 127.0.0.1. Set API_KEYS, or set BASE_URL to the address that clients use.'
    const error = {
      message,
      type: 'permission_error',
      param: 'Host',
      code: 'host_not_allowed',
      request_id: null,
    }
    res.writeHead(403, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    res.end(JSON.stringify({ error }))
    return true
  }
}
