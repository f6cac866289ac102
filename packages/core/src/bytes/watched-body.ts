import { GenerationError } from '../errors/generation-error.ts'
import { gatheredBytes } from './gathered-bytes.ts'

/** No more bytes of a piece than these are looked at. */
const longestHead = 65_536

/** Counts the bytes of a stream while another reader reads it. */
export interface WatchedBody {
  /**
   * Reads the first bytes until they are enough, or the stream ends. `stream` returns the same bytes again.
   * @param areEnough is called when there are at least twice as many bytes as before, because a hostile stream may give
   *   one byte at a time
   */
  beginning(areEnough: (head: Uint8Array) => boolean): Promise<Uint8Array>
  /** All bytes, to be read once. It reads from the source only when its reader asks for a chunk. */
  readonly stream: ReadableStream<Uint8Array>
  /** How many bytes have been read. */
  size(): number
  /** Cancels the rest of the stream with this reason. Does nothing after the last byte. */
  end(reason: unknown): void
  /** The error that `stream` has failed with; `undefined` if it has not failed. */
  fault(): unknown
}

/**
 * Counts the bytes of a stream.
 * @param maxBytes a longer upload fails with `request_too_large`. @default no limit
 * @param admit is called with the number of bytes that were read, before the stream gives the newest of them. If it
 *   rejects, the stream fails with its error. @default everything is admitted
 */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes = Infinity,
  admit: (bytes: number) => Promise<void> | undefined = () => undefined,
): WatchedBody {
  const reader = body.getReader()
  const begun: Uint8Array[] = []
  let bytes = 0
  let broken: { readonly fault: unknown } | undefined
  let isWhole = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined

  function end(fault: unknown): void {
    if (broken || isWhole) return
    broken = { fault }
    reader.cancel(fault).catch(() => {})
    controller?.error(fault)
  }

  async function next(): Promise<Uint8Array | undefined> {
    const { done = true, value } = await reader.read().catch((fault: unknown) => {
      end(fault)
      return { done: true, value: undefined }
    })
    bytes += value?.byteLength ?? 0
    if (bytes > maxBytes)
      end(new GenerationError('request_too_large', `An upload may have at most ${maxBytes} bytes.`))
    if (!broken) await admit(bytes)?.catch(end)
    // A read that is in progress when the stream is canceled looks like a read at the end of the stream.
    if (broken) throw broken.fault
    isWhole = done
    return value
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(streamController) {
        controller = streamController
      },
      async pull(streamController) {
        const piece = begun.shift() ?? (isWhole ? undefined : await next())
        if (piece === undefined) streamController.close()
        else streamController.enqueue(piece)
      },
      // The reader has stopped reading. This does not count as an error of the stream.
      async cancel(reason) {
        isWhole = true
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )

  return {
    async beginning(areEnough) {
      let length = 0
      for (let judged = 8; ;) {
        const piece = await next()
        if (piece === undefined) return headOf(begun)
        begun.push(piece)
        length += Math.min(piece.byteLength, longestHead)
        if (length < 2 * judged) continue
        judged = length
        const head = headOf(begun)
        if (areEnough(head)) return head
      }
    },
    stream,
    size: () => bytes,
    end,
    fault: () => broken?.fault,
  }
}

/** A copy of the first bytes of all pieces, because whoever reads the stream may free the pieces. */
function headOf(pieces: readonly Uint8Array[]): Uint8Array {
  const head = gatheredBytes()
  for (const piece of pieces) head.add(piece.subarray(0, longestHead))
  return head.whole()
}
