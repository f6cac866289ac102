import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fakeFile } from '@genmount/testing'
import { listen } from '../loopback.ts'

/** A request as a vendor sees it. */
export type VendorRequest = Awaited<ReturnType<typeof readRequest>>

/** A request that a vendor has taken on, and is paid for. */
export interface Charge {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface VendorReply {
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Instead of `json`. A list or a stream is sent in pieces, and without a length. */
  readonly body?: string | Uint8Array | readonly Uint8Array[] | Readable
}

/**
 * What becomes of a request. `instead`: the vendor never sees it, and the client gets this. `after`: the vendor executes
 * it, and the client gets this: a changed reply, a reset, the reply when the test calls `release`, or the reply before the
 * server stops to listen. `silence` ends when the server or the client closes the connection.
 */
export type Trouble = (
  | { readonly instead: VendorReply | ((request: VendorRequest) => VendorReply) | 'reset' | 'silence' }
  | { readonly after: 'reset' | 'hold' | 'stop' | ((reply: VendorReply) => VendorReply) }
) & {
  /** How many requests meet the trouble. @default 1 */
  readonly times?: number
}

/** Which requests meet a trouble: those whose method, path and query contain a text, or those of which this is true. */
export type Where = string | ((request: VendorRequest) => boolean)

export type VendorServer = Awaited<ReturnType<typeof vendorServer>>

/** The trouble for all requests from now on. */
export const always = (trouble: Trouble): Trouble => ({ ...trouble, times: Infinity })

/**
 * The base of all fakes: a vendor on loopback that answers as the fake says. Every request to it can meet trouble.
 * @param hosts the vendor's own hosts for which this server stands
 * @param upgrade takes the requests for a WebSocket
 */
export async function vendorServer(
  answer: (request: VendorRequest) => VendorReply | Promise<VendorReply>,
  { hosts = [], upgrade }: { hosts?: readonly string[]; upgrade?: Parameters<typeof listen>[1] } = {},
) {
  const requests: VendorRequest[] = []
  const troubles: { readonly where: Where; readonly trouble: Trouble; left: number }[] = []
  const unanswered = new Set<() => void>()

  function troubleFor(request: VendorRequest): Trouble | undefined {
    const line = `${request.method} ${request.url.pathname}${request.url.search}`
    const met = troubles.find(
      ({ where, left }) => left > 0 && (typeof where === 'string' ? line.includes(where) : where(request)),
    )
    if (met) met.left--
    return met?.trouble
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that leaves before its request is complete gets no reply.
    const request = await readRequest(incoming).catch(() => undefined)
    if (!request) return
    requests.push(request)
    const trouble = troubleFor(request)
    const reply = !trouble || 'after' in trouble ? await answer(request) : {}
    const outcome = trouble ? outcomeOf(trouble, request, reply) : reply
    if (outcome === 'reset') return void incoming.socket.resetAndDestroy()
    if (outcome === 'hold' || outcome === 'silence') {
      const end = () => outcome === 'hold' && send(response, reply)
      unanswered.add(end)
      return void response.once('close', () => unanswered.delete(end))
    }
    if (outcome === 'stop') response.once('finish', () => void stop())
    send(response, outcome === 'stop' ? reply : outcome)
  }

  const { origin, stop } = await listen((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      send(response, { status: 599, body: `The fake has failed: ${String(error)}` })
    })
  }, upgrade)

  return {
    origin,
    requests,
    /** How many requests have no reply yet because they met `hold` or `silence`. */
    unanswered: () => unanswered.size,
    /** The troubles of the next requests to `where`, one after the other. */
    trouble: (where: Where, ...more: readonly Trouble[]) =>
      void troubles.push(...more.map((trouble) => ({ where, trouble, left: trouble.times ?? 1 }))),
    /** Removes the troubles that no request has met yet. */
    calm: () => void troubles.splice(0),
    /** Sends the replies that are held. */
    release: () => unanswered.forEach((end) => end()),
    /** Reaches the vendor's own hosts, and nothing else but the loopback. */
    fetch: fetchAt(origin, hosts),
    close: stop,
  }
}

function outcomeOf(trouble: Trouble, request: VendorRequest, reply: VendorReply) {
  if ('after' in trouble) return typeof trouble.after === 'function' ? trouble.after(reply) : trouble.after
  return typeof trouble.instead === 'function' ? trouble.instead(request) : trouble.instead
}

/** The header that names the host that a client has asked for. */
const hostHeader = 'x-asked-host'

/** A `fetch` that finds these hosts at `origin`, reaches the loopback, and nothing else. */
export function fetchAt(origin: string, hosts: readonly string[]): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { hostname, pathname, search } = new URL(input instanceof Request ? input.url : input)
    if (hostname === '127.0.0.1') return fetch(input, init)
    if (!hosts.includes(hostname)) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })
    const headers = new Headers(init.headers)
    headers.set(hostHeader, hostname)
    return fetch(origin + pathname + search, { ...init, headers })
  }
}

/** Whether the value is one of these words, which spaces separate. */
export const isOneOf = (words: string, value: unknown): boolean => words.split(' ').includes(String(value))

/** The first name in the body that is not one of these words. */
export const unknownName = (words: string, body: object): string | undefined =>
  Object.keys(body).find((name) => !isOneOf(words, name))

/** A file as vendors deliver it: a film if its name ends so, else a picture. */
export function fileReply(path: string, index = 0): VendorReply {
  const { bytes, contentType } = fakeFile(path.endsWith('.mp4') ? 'video' : 'image', index)
  return { headers: { 'content-type': contentType }, body: bytes }
}

/** A file as base64, for vendors that put it into their answers. */
export function base64File(kind: 'image' | 'video', index = 0): string {
  return Buffer.from(fakeFile(kind, index).bytes).toString('base64')
}

async function readRequest(incoming: IncomingMessage) {
  const { [hostHeader]: host = 'vendor.test', ...sent } = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  )
  const headers: Readonly<Record<string, string>> = sent
  const body = await buffer(incoming)
  const contentType = { 'content-type': headers['content-type'] ?? '' }
  return {
    method: incoming.method ?? '',
    /** Has the host that the client has asked for, if the fake is reached through its own `fetch`. */
    url: new URL(incoming.url ?? '/', `https://${host}`),
    headers,
    body,
    json: <Value = Readonly<Record<string, unknown>>>(): Value => JSON.parse(body.toString()),
    form: () => new Response(new Uint8Array(body), { headers: contentType }).formData(),
  }
}

function send(response: ServerResponse, reply: VendorReply): void {
  const { status = 200, headers = {}, json, body = JSON.stringify(json ?? {}) } = reply
  const type = reply.body === undefined ? { 'content-type': 'application/json' } : {}
  response.writeHead(status, { ...type, ...headers })
  if (typeof body === 'string' || body instanceof Uint8Array) response.end(body)
  // A reader that has read enough closes the connection, which fails the pipeline.
  else pipeline(body instanceof Readable ? body : Readable.from(body), response).catch(() => {})
}
