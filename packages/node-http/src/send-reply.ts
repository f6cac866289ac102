import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket, type Server } from 'node:net'
import { Readable, finished } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { freeMemory, GenerationError } from '@genmount/core'
import { sendText } from './send-text.ts'
import { areTooSmall, type V1Reply } from '@genmount/v1-interface'

/**
 * How long a client may continue to send its body after the reply, in milliseconds, before the connection is closed.
 */
const lingerMs = 1000
/** After how many bytes of such a body other requests get a turn of the event loop. */
const bytesPerTurn = 64 * 1024

/**
 * Writes the reply. Fails when the stream of its body fails. It does not fail when the client closes the
 * connection or stops reading.
 * @param isBodyTaken whether every byte of the request's body was read
 * @returns a promise if the reply can't be written at once
 */
export function sendReply(
  req: IncomingMessage,
  res: ServerResponse,
  reply: V1Reply,
  isBodyTaken: boolean,
): void | Promise<void> {
  const { status, headers, body } = reply
  if (res.closed || res.headersSent) return typeof body === 'object' ? body.cancel() : undefined
  if (isServerClosed(req)) res.shouldKeepAlive = false
  if (typeof body === 'object') {
    res.writeHead(status, headers)
    return 'next' in body ? sendText(body, res) : stream(body, res)
  }
  // The head of a stream has no length, and a length of 0 would be a wrong one (RFC 9110 section 8.6).
  const isHeadOfStream = req.method === 'HEAD' && status === 200
  if (status !== 204 && !isHeadOfStream) headers['content-length'] ??= String(Buffer.byteLength(body ?? ''))
  if (!isBodyTaken && isStillSending(req)) return refuseEarly(req, res, reply)
  res.writeHead(status, headers)
  res.end(body)
}

/** Sends a reply to a client who may still be sending a body that is not wanted. */
async function refuseEarly(req: IncomingMessage, res: ServerResponse, reply: V1Reply): Promise<void> {
  // The reply may be ready before Node has parsed a body that has already arrived, so Node gets one turn to do so.
  await setImmediate()
  if (isStillSending(req)) sendAndHangUp(req, res, reply)
  else await sendReply(req, res, reply, true)
}

async function stream(body: ReadableStream<Uint8Array<ArrayBuffer>>, res: ServerResponse): Promise<void> {
  try {
    await pipeline(Readable.fromWeb(body as NodeReadableStream), res)
  } catch (error) {
    const isClientGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'
    // The download was ended because the client reads nothing any more. `pipeline` has already closed the connection.
    const isClientStill = error instanceof GenerationError
    if (!isClientGone && !isClientStill) throw error
  }
}

/**
 * Whether the server takes no new connections. `server.close()` only closes the connections that are idle at that time:
 * a connection that is kept alive behind a later reply would hold the process for another 6 seconds.
 */
function isServerClosed({
  socket,
}: IncomingMessage & { readonly socket: { readonly server?: Server } }): boolean {
  return socket.server?.listening === false
}

function isStillSending({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0)
}

/**
 * Answers a client that is still sending a body which is no longer needed, and closes the connection. If the socket
 * were closed at once, the kernel would reset the connection and the client might lose the reply (RFC 9112 section
 * 9.6). So the whole reply is sent first, and the rest of the body is then read and dropped for up to a second.
 */
function sendAndHangUp(req: IncomingMessage, res: ServerResponse, { status, headers, body }: V1Reply): void {
  res.writeHead(status, { ...headers, connection: 'close' })
  res.flushHeaders()
  if (body !== undefined) res.write(body)
  const hangUp = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(hangUp, lingerMs).unref()
  finished(req, hangUp)
  let pieces = 0
  let bytes = 0
  let turnAt = bytesPerTurn
  req.on('data', (piece: Uint8Array) => {
    pieces++
    bytes += piece.length
    // Chunks of 64 KiB arrive faster than the garbage collector frees them.
    if (isOnlyReader(req)) freeMemory(piece)
    if (areTooSmall(pieces, bytes)) hangUp()
    if (bytes < turnAt) return
    // Other requests get a turn of the event loop, as while a body is read.
    turnAt = bytes + bytesPerTurn
    req.pause()
    void setImmediate().then(() => req.resume())
  })
}

/** Whether no other code holds the chunks of this body: neither a listener of the app nor a simulated request. */
function isOnlyReader(req: IncomingMessage): boolean {
  return req.listenerCount('data') === 1 && req.socket instanceof Socket
}
