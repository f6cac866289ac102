import type { ServerResponse } from 'node:http'

/**
 * What goes wrong with one request.
 * - `'cut-before'`: the connection breaks before the vendor gets the request.
 * - `'cut-after'`: the vendor carries out the request, and the connection breaks before its answer.
 * - `'half-body'`: the vendor carries out the request; its status, its headers and half of its body arrive, then the
 *   connection breaks. An answer without a body does not arrive.
 * - `'silence'`: the vendor carries out the request, and its answer never arrives.
 * - `delayMs`: the vendor carries out the request, and its answer arrives this many milliseconds later.
 * - `status`: the vendor does not get the request; the proxy sends this answer itself.
 */
export type ProxyFault = 'cut-before' | 'cut-after' | 'half-body' | 'silence' | ProxyDelay | ProxyAnswer

/** An answer of the vendor that arrives late. */
export interface ProxyDelay {
  /** How many milliseconds later the answer arrives. */
  readonly delayMs: number
}

/** An answer that the proxy sends instead of the vendor. */
export interface ProxyAnswer {
  /** The HTTP status. */
  readonly status: number
  /** Further headers. @default only `content-type: application/json` */
  readonly headers?: Readonly<Record<string, string>>
  /** The body, as JSON. @default an empty object */
  readonly json?: unknown
}

/** The whole answer of the vendor. */
export interface VendorAnswer {
  readonly status: number
  /** Names and values in turn, as in `rawHeaders` of `node:http`. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Answers a request as the fault describes. */
export async function applyFault(
  fault: ProxyFault,
  response: ServerResponse,
  forward: () => Promise<VendorAnswer>,
): Promise<void> {
  if (fault === 'cut-before') return void response.socket?.resetAndDestroy()
  if (typeof fault === 'object' && 'status' in fault) {
    const { status, headers, json = {} } = fault
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    return void response.end(JSON.stringify(json))
  }
  const answer = await forward()
  // An answer without a body has no half.
  const isCut = fault === 'cut-after' || (fault === 'half-body' && answer.body.length === 0)
  if (isCut) return void response.socket?.resetAndDestroy()
  if (fault === 'silence') return
  if (fault === 'half-body') {
    response.writeHead(answer.status, [...answer.headers])
    const half = answer.body.subarray(0, Math.floor(answer.body.length / 2))
    return void response.write(half, () => response.destroy())
  }
  const timer = setTimeout(() => passOn(answer, response), fault.delayMs)
  response.once('close', () => clearTimeout(timer))
}

/** Sends the vendor's answer to the client. */
export function passOn({ status, headers, body }: VendorAnswer, response: ServerResponse): void {
  response.writeHead(status, [...headers]).end(body)
}
