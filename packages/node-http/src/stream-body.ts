import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { BodyPiece, BodyReader } from '@genmount/v1-interface'

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
  const { socket } = req
  // In HTTP/2 several requests share one connection, so the bytes of the connection show nothing about this body.
  const isHttp1 = req.httpVersionMajor === 1
  const bytesBefore = socket.bytesRead
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
      const whole = !chunks && isHttp1 ? wholeBody(req) : undefined
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
      if (!isHttp1) return 0
      const wireBytes = socket.bytesRead - bytesBefore
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
