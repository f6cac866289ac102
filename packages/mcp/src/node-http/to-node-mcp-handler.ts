import type { IncomingMessage, ServerResponse } from 'node:http'
import { nodeHeader, nodeHeaders, nodeScheme, sendReply, streamBody } from '@genmount/node-http'
import { targetAsWritten } from '@genmount/v1-interface'
import { setRequestBody } from '../http/request-body.ts'
import { textOfStream } from '../http/text-streams.ts'

/** A request of node:http, as frameworks such as Express pass it on. */
export interface NodeRequest extends IncomingMessage {
  /** The whole path, including the mount path that a framework has removed from `url`. */
  readonly originalUrl?: string
  /** The body that `express.json()` has read. The request's stream can't be read again. */
  readonly body?: unknown
}

/**
 * Turns the handler of `toMcpHandler` into a listener of node:http, which Express and other frameworks accept too. A
 * client that goes on sending a body that was refused is disconnected after a second.
 * @example app.all('/mcp', toNodeMcpHandler(toMcpHandler(toFetchHandler(service, options))))
 */
export function toNodeMcpHandler(
  handle: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    if (targetAsWritten(targetOf(incoming)) === undefined) return void outgoing.writeHead(404).end()
    const leaving = new AbortController()
    // Node closes the request when its body has been read, and the response when the client is gone.
    const onClose = () => leaving.abort()
    outgoing.on('close', onClose)
    let isTaken = false
    try {
      const request = webRequest(incoming, leaving.signal, () => void (isTaken = true))
      const { status, headers, body } = await handle(request)
      if (outgoing.destroyed) return void (await body?.cancel())
      const isStream = headers.get('content-type')?.startsWith('text/event-stream')
      const text = body ? textOfStream(body) : undefined
      if (text) {
        // Thousands of calls may wait for their jobs, so nothing else of the exchange is kept.
        outgoing.off('close', onClose)
        outgoing.on('close', () => text.cancel())
      }
      const sent = text ?? (isStream || body === null ? body : await new Response(body).text())
      const reply = { status, headers: Object.fromEntries(headers), ...(sent !== null && { body: sent }) }
      await sendReply(incoming, outgoing, reply, isTaken)
    } catch {
      // The client is gone, or has sent something that is not a valid request.
      if (!outgoing.headersSent) outgoing.writeHead(400)
      outgoing.end()
    }
  }
}

function targetOf({ originalUrl, url = '/' }: NodeRequest): string {
  return originalUrl ?? url
}

function webRequest(incoming: NodeRequest, signal: AbortSignal, onTaken: () => void): Request {
  const { method = 'GET', body } = incoming
  const headers = Object.entries(nodeHeaders(incoming)).filter(([name]) => !name.startsWith(':'))
  const host = nodeHeader(incoming, 'host') ?? 'localhost'
  const target = `${nodeScheme(incoming)}://${host}${targetOf(incoming)}`
  const init = { method, headers, signal, duplex: 'half' as const }
  if (method === 'GET' || method === 'HEAD') return new Request(target, init)
  if (body === undefined || !incoming.readableEnded) {
    const request = new Request(target, { ...init, body: streamOf(incoming, onTaken) })
    setRequestBody(request, () => streamBody(incoming, onTaken))
    return request
  }
  if (typeof body === 'string' || body instanceof Uint8Array)
    return new Request(target, { ...init, body: body as BodyInit })
  const request = new Request(target, { ...init, body: JSON.stringify(body) })
  setRequestBody(request, () => ({ value: body }))
  return request
}

/** The body as a stream, for code between this adapter and the endpoint. Nothing is read before that code reads it. */
function streamOf(incoming: NodeRequest, onTaken: () => void): ReadableStream<Uint8Array> {
  let reader: ReturnType<typeof streamBody> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= streamBody(incoming, onTaken)
        const { done, value } = await reader.read()
        if (value) controller.enqueue(value)
        if (done) controller.close()
      },
      cancel: () => reader?.cancel(),
    },
    { highWaterMark: 0 },
  )
}
