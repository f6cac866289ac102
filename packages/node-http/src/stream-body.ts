import type { IncomingMessage } from 'node:http'
import type { BodyReader } from '@genmount/v1-interface'

/** What a chunk has beside its data at the least: its length in one digit and two line ends, RFC 9112 section 7.1. */
const bytesAroundChunk = 5

/** @throws when somebody has read the body before us, which is a mistake of the app and not of its client */
export function streamBody(req: IncomingMessage): BodyReader {
  if (req.readableDidRead) throw new Error('The request body was read before the request came to genmount.')
  // The socket has to outlive a body that is refused halfway, or the refusal would never arrive.
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
      // Other requests share the connection of HTTP/2, whose frames are not read one by one.
      if (req.httpVersionMajor !== 1) return 0
      const wireBytes = socket.bytesRead - bytesBefore
      return (wireBytes - readBytes - req.readableLength) / bytesAroundChunk
    },
    cancel: () => void chunks.return?.().catch(() => {}),
  }
}
