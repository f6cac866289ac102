import type { ServerResponse } from 'node:http'

/**
 * What goes wrong with one request.
 * - `'cut-before'`: the connection breaks before the vendor hears of the request.
 * - `'cut-after'`: the vendor does what it is asked for, and the connection breaks before its answer.
 * - `'half-body'`: the vendor does it; its status, its headers and half of its body arrive, then the connection breaks.
 *   An answer without a body does not arrive.
 * - `'silence'`: the vendor does it, and its answer never comes.
 * - `delayMs`: the vendor does it, and its answer comes this many milliseconds later.
 * - `status`: the vendor hears nothing of the request; this answer comes instead of its own.
 */
export type ProxyFault = 'cut-before' | 'cut-after' | 'half-body' | 'silence' | ProxyDelay | ProxyAnswer

/** An answer of the vendor that comes late. */
export interface ProxyDelay {
  /** How much later the answer comes, in milliseconds. */
  readonly delayMs: number
}

/** An answer that comes from the proxy instead of the vendor. */
export interface ProxyAnswer {
  /** The HTTP status. */
  readonly status: number
  /** Further headers. @default none beside `content-type: application/json` */
  readonly headers?: Readonly<Record<string, string>>
  /** The body, as JSON. @default an empty object */
  readonly json?: unknown
}

/** The whole answer of the vendor. */
export interface VendorAnswer {
  readonly status: number
  /** Names and values in turn, as `node:http` has them in `rawHeaders`. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Answers a request in the way that the fault says. */
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
  // Of an answer without a body there is no half.
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

/** Answers with what the vendor has answered. */
export function passOn({ status, headers, body }: VendorAnswer, response: ServerResponse): void {
  response.writeHead(status, [...headers]).end(body)
}
