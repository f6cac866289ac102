import type { Clock } from '@genmount/core'
import type { TextSource } from '../interface/v1-request.ts'
import { watchedDownload } from '../outputs/watched-download.ts'

/**
 * Makes a stream of bytes of text that comes to be while it is sent, for hosts that answer with a `Response`. The text is
 * cancelled when the stream is, and when the client has read nothing of what is there for a minute.
 * @param clock that of the service
 * @example new Response(await textStream(reply.body, service.clock), { headers: reply.headers })
 */
export function textStream(
  source: TextSource,
  clock: Clock,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const encoder = new TextEncoder()
  const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const piece = await source.next()
        if (piece === undefined) controller.close()
        else controller.enqueue(encoder.encode(piece))
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  )
  return watchedDownload(bytes, clock, () => {})
}
