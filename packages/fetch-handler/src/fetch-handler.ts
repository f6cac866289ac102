import type { Clock, GenerationService } from '@genmount/core'
import {
  checkMountedOptions,
  targetOf,
  textStream,
  v1InterfaceOf,
  type MountedV1Options,
  type V1Interface,
  type V1Reply,
  type V1Request,
} from '@genmount/v1-interface'
import { bodyOf } from './body-of.ts'

/**
 * A fetch handler. It answers every request; a path outside of `mountPath` gets 404 `route_not_found`. It
 * never rejects. What a host passes besides the request goes to `authenticate` with `credentials: 'any'`, or is
 * ignored.
 */
export type FetchHandler<Context = unknown> = (
  request: Request,
  context?: Context,
  ...rest: unknown[]
) => Promise<Response>

/** What is passed to `authenticate` with `credentials: 'any'`. */
export interface FetchHost<Context = unknown> {
  /** The request that the handler was called with. */
  readonly request: Request
  /**
   * What the handler was called with besides the request: the `env` of a worker, or the context of a framework
   * if the app passes it, as in `handler(context.req.raw, context)` with Hono.
   */
  readonly context: Context | undefined
}

/**
 * Makes the /v1 interface a fetch handler, for Deno, Bun, workers, Hono and Next route handlers.
 * @throws TypeError that names the wrong option and says what it accepts
 * @example Deno.serve(toFetchHandler(service, { authenticate: apiKeys({ alice: Deno.env.get('ALICE_KEY') }) }))
 */
export function toFetchHandler<Context = unknown>(
  service: GenerationService,
  options: MountedV1Options<FetchHost<Context>>,
): FetchHandler<Context> {
  const [mountPath, checked] = checkMountedOptions('toFetchHandler', service, options)
  const answer = v1InterfaceOf(service, checked)

  return async (request, context) => {
    const reply = await answer(toV1Request({ request, context }, mountPath, answer.pathOf))
    return request.method === 'HEAD' ? toHead(reply) : toResponse(reply, service.clock)
  }
}

function toV1Request<Host extends FetchHost>(
  fromHost: Host,
  mountPath: string,
  pathOf: V1Interface['pathOf'],
): V1Request<Host> {
  const { request } = fromHost
  const { method, url, headers } = request
  const target = targetOf(url)
  return {
    method,
    path: target === undefined ? undefined : pathOf(target, mountPath),
    target: target ?? url,
    mountPath,
    scheme: url.startsWith('https:') ? 'https' : 'http',
    // The Host header comes first, because in an absolute-form request the client chooses the host in the URL. A
    // request that the app itself has made has no Host header; then the URL counts.
    header: (name) => headers.get(name) ?? (name === 'host' ? new URL(url).host : undefined),
    headers: () => Object.fromEntries(headers),
    fromHost,
    body: () => bodyOf(request),
    onLeave: (leave) => {
      // The signal is read only for requests that wait, because on Deno reading it costs a third of a
      // request's time.
      const { signal } = request
      if (signal.aborted) leave()
      signal.addEventListener('abort', leave, { once: true })
      return () => signal.removeEventListener('abort', leave)
    },
  }
}

/**
 * The response to HEAD. Runtimes set the length of a response without a body to 0, which would be wrong for the head of
 * a stream (RFC 9110 section 8.6). So the head of a stream gets an empty stream as its body.
 */
function toHead({ status, headers }: V1Reply): Response {
  const isOfStream = status === 200 && headers['content-length'] === undefined
  return new Response(isOfStream ? emptyStream() : null, { status, headers })
}

/**
 * An empty stream that ends a little later. Bun, and Hono's server for Node, also set the length to 0 for a stream that
 * has already ended.
 */
function emptyStream(): ReadableStream<Uint8Array> {
  const end = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    await new Promise((resolve) => void setTimeout(resolve))
    controller.close()
  }
  return new ReadableStream({ pull: end }, { highWaterMark: 0 })
}

async function toResponse({ status, headers, body }: V1Reply, clock: Clock): Promise<Response> {
  const sent = typeof body === 'object' && 'next' in body ? await textStream(body, clock) : body
  const length = headers['content-length']
  const isOfLength = sent instanceof ReadableStream && length !== undefined
  return new Response(isOfLength ? ofLength(sent, Number(length)) : (sent ?? null), { status, headers })
}

/** Cloudflare's stream that has its length, in bytes, before its content. */
declare const FixedLengthStream:
  | (new (bytes: number) => ReadableWritablePair<Uint8Array, Uint8Array>)
  | undefined

/**
 * A stream of this length. Workers drop the header `content-length` of other streams, and then a film has no length in a
 * player or a download. Other runtimes keep the header.
 * @see https://developers.cloudflare.com/workers/runtime-apis/streams/transformstream/#fixedlengthstream (2026-11-27)
 */
function ofLength(stream: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  return typeof FixedLengthStream === 'function' ? stream.pipeThrough(new FixedLengthStream(bytes)) : stream
}
