import { networkRefusal, sizeRefusal } from './fetch-refused-error.ts'
import type { Transfer } from './transfer.ts'

/**
 * The bytes of a response as they arrive, at most `maxBytes`. When the body ends, fails or is canceled, the transfer
 * ends.
 */
export function limitedBody(
  chunks: AsyncIterator<Uint8Array<ArrayBuffer>>,
  url: URL,
  maxBytes: number,
  transfer: Transfer,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let received = 0
  return new ReadableStream(
    {
      start(controller) {
        transfer.signal.addEventListener('abort', () => controller.error(transfer.signal.reason))
      },
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) {
            transfer.complete()
            return controller.close()
          }
          received += value.byteLength
          if (received > maxBytes) transfer.fail(sizeRefusal(url, maxBytes))
          else controller.enqueue(value)
        } catch (error) {
          transfer.fail(networkRefusal(url, error))
        }
      },
      cancel(reason) {
        transfer.fail(reason)
      },
    },
    // Zero, so that no chunk is fetched before the reader asks for it.
    { highWaterMark: 0 },
  )
}
