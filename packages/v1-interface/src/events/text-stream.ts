import type { Clock } from '@genmount/core'
import type { TextSource } from '../interface/v1-request.ts'
import { watchedDownload } from '../outputs/watched-download.ts'

/**
 * Makes a byte stream of a text that is produced while it is sent, for hosts that answer with a `Response`. Cancelling
 * the stream cancels the text. The text is also canceled when data is waiting and the client has read nothing for a
 * minute.
 * @param clock the clock of the service
 * @example new Response(await textStream(reply.body, service.clock), { headers: reply.headers })
 */
export function textStream(
  source: TextSource,
  clock: Clock,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return watchedDownload(byteStream(source), clock, () => {})
}

/** Makes a byte stream of a text, which takes the next piece when it is read. Cancelling the stream cancels the text. */
export function byteStream(source: TextSource): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  return new ReadableStream(
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
}
