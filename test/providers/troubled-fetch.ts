import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listen } from '../loopback.ts'
import type { Words } from './vendor-case.ts'

/** A request of a provider that meets trouble. */
export interface Troubled {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly response: ServerResponse
  /** Passes the request to the vendor, and returns the vendor's answer. */
  forward(): Promise<{ readonly response: Response; readonly text: string }>
  /** Withholds the answer; resolves when the test calls `release` of the fetch. */
  keepSilent(): Promise<void>
}

/** `fetch` itself throws an error; a URL redirects the request to another server. */
export type Trouble = Error | URL | ((troubled: Troubled) => void | Promise<void>)

export interface TroubledFetch {
  readonly fetch: typeof globalThis.fetch
  /** How many requests are waiting for a withheld answer at this moment. */
  readonly silent: number
  /** Sends the withheld answers. */
  release(): void
  close(): Promise<void>
}

/**
 * A `fetch` between a provider and its vendor. A request for which `troubleFor` returns a trouble goes to a server on
 * loopback that causes the trouble on a real socket. All other requests reach the vendor unchanged.
 */
export async function troubledFetch(
  reach: typeof globalThis.fetch,
  troubleFor: (method: string, url: URL) => Trouble | undefined,
): Promise<TroubledFetch> {
  const troubles = new Map<string, (response: ServerResponse) => Promise<void>>()
  const silences = new Set<() => void>()
  let count = 0

  const { origin, stop } = await listen((request, response) => {
    const make = troubles.get(request.url ?? '')
    request.resume().once('end', () => {
      make?.(response).catch((error: unknown) =>
        say(response, 599, { detail: `The test has failed: ${String(error)}` }),
      )
    })
  })

  return {
    get silent() {
      return silences.size
    },
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const { signal: _signal, ...unsignalled } = init
      const { method = 'GET' } = init
      const trouble = troubleFor(method, url)
      if (!trouble) return reach(input, init)
      if (trouble instanceof Error) throw trouble
      if (trouble instanceof URL) return fetch(trouble, init)
      const path = `/${++count}`
      troubles.set(path, async (response) =>
        trouble({
          method,
          url,
          headers: new Headers(init.headers),
          response,
          async forward() {
            const answer = await reach(input, unsignalled)
            return { response: answer, text: await answer.text() }
          },
          keepSilent: () =>
            new Promise((resolve) => {
              silences.add(resolve)
              response.once('close', () => silences.delete(resolve))
            }),
        }),
      )
      return fetch(`${origin}${path}`, init)
    },
    release() {
      for (const end of silences) end()
      silences.clear()
    },
    close: stop,
  }
}

export function say(
  response: ServerResponse,
  status: number,
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json))
}

/** A proxy in front of the vendor answers, and the request never reaches the vendor. */
export const saying =
  (status: number, json: unknown, headers?: Readonly<Record<string, string>>): Trouble =>
  ({ response }) =>
    say(response, status, json, headers)

/** A successful answer of the vendor with this body. */
export const inWords =
  ({ json }: Words): Trouble =>
  ({ response, url }) =>
    say(response, 200, json(url))

/** An address at which no server listens: the port is not one of those that the system gives to tests. */
export const nowhere = new URL('http://127.0.0.1:3/')

export const resetBefore: Trouble = ({ response }) => void response.socket?.resetAndDestroy()

export const resetAfter: Trouble = async ({ response, forward }) => {
  await forward()
  response.socket?.resetAndDestroy()
}

/** The vendor executes the request; its answer is withheld until `release`. */
export const silence: Trouble = async ({ response, forward, keepSilent }) => {
  const { response: answer, text } = await forward()
  await keepSilent()
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
}

export const truncated: Trouble = async ({ response, forward }) => {
  const { text } = await forward()
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(text.slice(0, Math.floor(text.length / 2)))
}

/** Fifty megabytes that never become JSON, in pieces and without a length. */
export const enormous: Trouble = async ({ response, forward }) => {
  await forward()
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"pad":"')
  const piece = Buffer.alloc(1_000_000, 'x')
  // A reader that has read enough closes the connection, which fails the pipeline.
  await pipeline(Readable.from(Array<Buffer>(50).fill(piece)), response).catch(() => {})
}

export const htmlPage: Trouble = ({ response }) =>
  void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
