import { GenerationError, type Clock } from '@genmount/core'
import type { BodyPiece, BodyReader } from '../interface/v1-request.ts'
import { areTooSmall, inSmallPieces, nextPiece } from './read-body.ts'

/**
 * The least average number of bytes that a client must send for each second of waiting, after the first `patienceMs`.
 */
const leastBytesPerSecond = 64 * 1024

/**
 * A body as a stream, for a reader that may take long. The stream reads each piece when its reader asks for it. Only
 * the time of waiting for the client is limited: to `patienceMs` milliseconds, and one second more for each 64 KiB that
 * have arrived. The stream fails with a GenerationError: `request_timeout`, or `invalid_request` for a body that breaks
 * off or comes in pieces that are too small.
 */
export function streamedBody(
  reader: BodyReader,
  patienceMs: number,
  clock: Clock,
): ReadableStream<Uint8Array> {
  let reads = 0
  let bytes = 0
  let waitedMs = 0
  let stopWaiting = () => {}

  function end(): void {
    stopWaiting()
    reader.cancel()
  }

  /** Waits for a piece, for the rest of the client's time. */
  function soon(coming: Promise<BodyPiece>): Promise<BodyPiece> {
    const beganAt = clock.uptime()
    const leftMs = patienceMs + Math.floor((bytes / leastBytesPerSecond) * 1000) - waitedMs
    return new Promise((resolve, reject) => {
      const cancelTimer = clock.after(Math.max(0, leftMs), () =>
        reject(new GenerationError('request_timeout', 'The request body arrives too slowly.')),
      )
      stopWaiting = () => {
        cancelTimer()
        waitedMs += clock.uptime() - beganAt
        stopWaiting = () => {}
      }
      coming.finally(() => stopWaiting()).then(resolve, reject)
    })
  }

  async function next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const coming = nextPiece(reader)
      const { done, value } = coming instanceof Promise ? await soon(coming) : coming
      if (done) return undefined
      reads++
      bytes += value?.byteLength ?? 0
      if (areTooSmall(reader.pieces?.() ?? reads, bytes)) throw inSmallPieces()
      if (value?.byteLength) return value
    }
  }

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = await next()
          if (piece) return controller.enqueue(piece)
          end()
          controller.close()
        } catch (refusal) {
          end()
          controller.error(refusal)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
