import { type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../loopback.ts'

/** A request as a vendor sees it. */
export interface VendorRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface VendorReply {
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Instead of `json`. */
  readonly body?: string | Uint8Array
}

/**
 * The outcome of one request. `instead`: the request gets this answer and does not reach the vendor. `after`: the
 * vendor executes the request, and its reply is held until `release`.
 */
export type Trouble = { readonly instead: VendorReply | 'reset' } | { readonly after: 'hold' }

export interface ScriptedServer {
  readonly origin: string
  readonly requests: readonly VendorRequest[]
  /** The outcomes of the next requests whose path contains `path`, one after the other. */
  trouble(path: string, ...troubles: readonly Trouble[]): void
  /** Resolves once this many requests have arrived. */
  requested(count: number): Promise<void>
  /** Sends the replies that are held. */
  release(): void
  close(): Promise<void>
}

/** A vendor on loopback that answers as the test says. Every request to it can be made to fail. */
export async function scriptedServer(
  answer: (request: VendorRequest) => VendorReply | Promise<VendorReply>,
): Promise<ScriptedServer> {
  const requests: VendorRequest[] = []
  const troubles: { readonly path: string; readonly trouble: Trouble }[] = []
  const listeners = new Set<() => void>()
  let held: (() => void)[] = []

  function troubleFor(path: string): Trouble | undefined {
    const index = troubles.findIndex((entry) => path.includes(entry.path))
    return index < 0 ? undefined : troubles.splice(index, 1)[0]?.trouble
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    requests.push(request)
    for (const listener of listeners) listener()
    const trouble = troubleFor(request.url.pathname)
    if (trouble && 'instead' in trouble) {
      if (trouble.instead === 'reset') incoming.socket.destroy()
      else send(response, trouble.instead)
      return
    }
    const reply = await answer(request)
    if (trouble) held.push(() => send(response, reply))
    else send(response, reply)
  }

  const { origin, stop } = await listen((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      send(response, { status: 599, body: `The fake has failed: ${String(error)}` })
    })
  })

  return {
    origin,
    requests,
    trouble: (path, ...more) => void troubles.push(...more.map((trouble) => ({ path, trouble }))),
    requested: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return
          listeners.delete(check)
          resolve()
        }
        listeners.add(check)
        check()
      }),
    release() {
      for (const send of held) send()
      held = []
    },
    close: stop,
  }
}

async function readRequest(incoming: IncomingMessage): Promise<VendorRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', 'http://vendor.test'),
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: Buffer.concat(chunks),
  }
}

function send(response: ServerResponse, reply: VendorReply): void {
  const { status = 200, headers = {}, json, body = JSON.stringify(json ?? {}) } = reply
  const type = reply.body === undefined ? { 'content-type': 'application/json' } : {}
  response.writeHead(status, { ...type, ...headers }).end(body)
}
