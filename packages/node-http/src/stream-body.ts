import type { IncomingMessage } from 'node:http'
import type { BodyReader } from '@genmount/v1-interface'

/**
 * The fewest bytes that a chunk has besides its data: one digit for its length and two line ends of two bytes
 * each (RFC 9112 section 7.1).
 */
const bytesAroundChunk = 5

/**
 * The body of a request, to be read piece by piece.
 * @throws Error when the app has already read the body: that is a mistake of the app and not of the client
 */
export function streamBody(req: IncomingMessage): BodyReader {
  if (req.readableDidRead) throw new Error('The request body was read before the request came to genmount.')
  // A body may be refused before its end. The socket must stay open then, or the client would never get the
  // refusal.
  const chunks = req.iterator({ destroyOnReturn: false })
  const { socket } = req
  const bytesBefore = socket.bytesRead
  let readBytes = 0

  return {
    async read() {
      const next = await chunks.next()
      if (!next.done) readBytes += (next.value as Uint8Array).length
      return next
    },
    pieces() {
      // In HTTP/2 several requests share one connection, so its bytes tell nothing about this body.
      if (req.httpVersionMajor !== 1) return 0
      const wireBytes = socket.bytesRead - bytesBefore
      return (wireBytes - readBytes - req.readableLength) / bytesAroundChunk
    },
    cancel: () => void chunks.return?.().catch(() => {}),
  }
}
