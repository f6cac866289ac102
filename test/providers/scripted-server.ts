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
 * What becomes of one request. `instead`: this, and the vendor hears nothing of it. `after`: the vendor does what it is
 * asked for, and its reply is held until `release`.
 */
export type Trouble = { readonly instead: VendorReply | 'reset' } | { readonly after: 'hold' }

export interface ScriptedServer {
  readonly origin: string
  readonly requests: readonly VendorRequest[]
  /** What goes wrong with the requests to come whose path has `path` in it, one after the other. */
  trouble(path: string, ...troubles: readonly Trouble[]): void
  /** Resolves once there were so many requests. */
  requested(count: number): Promise<void>
  /** Lets go of the replies that are held. */
  release(): void
  close(): Promise<void>
}

/** A vendor on the loopback that answers as told, and whose every request can go wrong. */
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
