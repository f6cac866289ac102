import { GenerationError, type Clock } from '@genmount/core'
import type { BodyPiece, BodyReader } from '../interface/v1-request.ts'
import { areTooSmall } from './are-too-small.ts'
import { inSmallPieces, nextPiece } from './next-piece.ts'

/** How many bytes a client must send on average for each second that is waited for it, after the first seconds. */
const leastBytesPerSecond = 64 * 1024

/**
 * A body as a stream, for a reader that may take long: it is read piece by piece, at the pace of its reader. Only the time
 * in which the client is waited for counts: `patienceMs` milliseconds, and one second more for each 64 KiB that have come.
 * The stream fails with a GenerationError: `request_timeout`, or `invalid_request` for a body that breaks off or comes in
 * pieces that are too small.
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

  /** Waits for a piece, for as long as the client may still take. */
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
