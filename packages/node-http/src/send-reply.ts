import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket, type Server } from 'node:net'
import { Readable, finished } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { freeMemory, GenerationError } from '@genmount/core'
import {
  areTooSmall,
  type V1Reply,
  type TextSource,
  type BodyPiece,
  type BodyReader,
} from '@genmount/v1-interface'

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
    if (!('next' in body)) return stream(body, res)
    // The response keeps the text of its head for as long as it is open. Only a head that is sent by itself is kept as one
    // piece of memory instead of dozens.
    res.flushHeaders()
    return sendText(body, res)
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
  const source = Readable.fromWeb(body as NodeReadableStream)
  // A response without a connection never closes, and the adapter for AWS Lambda that has made it waits for its end or its error.
  if (!(res.socket instanceof Socket)) source.once('error', (error) => res.emit('error', error))
  try {
    await pipeline(source, res)
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
  return socket?.server?.listening === false
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

/** How long a client may read nothing although data is waiting, in milliseconds, before its connection is closed. */
const maxStillMs = 60_000

/**
 * Sends text that is produced while it is sent, and returns before the text ends. It asks for the next piece when the
 * connection has taken the last one, so a slow client takes no memory.
 */
export function sendText(source: TextSource, res: ServerResponse): void {
  // A callback instead of an async function: there may be thousands of clients, and each async function in progress takes
  // 500 bytes.
  void source.next().then((piece) => {
    if (piece === undefined) return void res.end()
    // Some adapters for AWS Lambda return nothing. They have taken the piece, and no `drain` will follow.
    const isTaken = res.write(piece) !== false
    flush(res)
    if (isTaken) sendText(source, res)
    else whenDrained(res, () => sendText(source, res))
  })
}

/** A middleware that compresses, such as Express's `compression`, holds text back until `flush` is called. */
function flush(res: ServerResponse & { flush?(): void }): void {
  res.flush?.()
}

/** Calls `go` when the connection can take more data, or has been closed. */
function whenDrained(res: ServerResponse, go: () => void): void {
  const timer = setTimeout(() => res.destroy(), maxStillMs).unref()
  const onDrain = () => {
    clearTimeout(timer)
    res.off('drain', onDrain).off('close', onDrain)
    go()
  }
  res.on('drain', onDrain).on('close', onDrain)
  if (res.closed) onDrain()
}

/**
 * The fewest bytes that a chunk has besides its data: one digit for its length and two line ends of two bytes
 * each (RFC 9112 section 7.1).
 */
const bytesAroundChunk = 5

/**
 * The body of a request, to be read piece by piece.
 * @param onTaken called when the whole body was read at once; `req.complete` becomes true a little later
 * @throws Error when the app has already read the body: that is a mistake of the app and not of the client
 */
export function streamBody(req: IncomingMessage, onTaken: () => void): BodyReader {
  if (req.readableDidRead)
    throw new Error(
      'The app has read this body already. Mount genmount before what reads it, such as a body parser.',
    )
  // In HTTP/2 several requests share one connection, so the bytes of the connection show nothing about this body.
  const connection = req.httpVersionMajor === 1 ? req.socket : undefined
  const bytesBefore = connection?.bytesRead ?? 0
  let chunks: NodeJS.AsyncIterator<Uint8Array> | undefined
  let isTaken = false
  let readBytes = 0

  function counted(piece: BodyPiece): BodyPiece {
    if (!piece.done) readBytes += piece.value?.length ?? 0
    return piece
  }

  return {
    read() {
      if (isTaken) return { done: true }
      // Most bodies arrive together with their headers. Iterating over such a body would cost more than all other
      // reading.
      const whole = !chunks && connection ? wholeBody(req) : undefined
      if (whole) {
        isTaken = true
        onTaken()
        return counted({ value: whole })
      }
      // A body may be refused before its end. The socket must stay open then, because the client could not get the
      // refusal otherwise.
      chunks ??= req.iterator({ destroyOnReturn: false }) as NodeJS.AsyncIterator<Uint8Array>
      return nextOf(chunks).then(counted)
    },
    pieces() {
      if (!connection) return 0
      const wireBytes = connection.bytesRead - bytesBefore
      return (wireBytes - readBytes - req.readableLength) / bytesAroundChunk
    },
    cancel: () => void chunks?.return?.().catch(() => {}),
  }
}

/**
 * The next chunk, of some 64 KiB, in the next turn of the event loop. Without this, Node reads up to 2 MB of each
 * connection in one turn, and many large bodies together hold up all other requests.
 */
async function nextOf(chunks: NodeJS.AsyncIterator<Uint8Array>): Promise<BodyPiece> {
  await setImmediate()
  return chunks.next()
}

/** Takes a body of which every announced byte has arrived. @returns `undefined` for any other body */
function wholeBody(req: IncomingMessage): Uint8Array | undefined {
  if (req.readableLength === 0 || req.readableLength !== Number(req.headers['content-length']))
    return undefined
  const bytes = req.read() as Uint8Array
  // Lets the stream end, as after every other body.
  req.resume()
  return bytes
}
