import { GenerationError } from '../errors/generation-error.ts'

/** A stream of bytes that is counted while somebody else reads it. */
export interface WatchedBody {
  /** Reads at least `length` bytes, fewer only if there are no more. `stream` gives them again. */
  beginning(length: number): Promise<Uint8Array>
  /** All bytes, to be read once. Nothing is read ahead. */
  readonly stream: ReadableStream<Uint8Array>
  /** How many bytes have been read. */
  size(): number
  /** Cancels what has not been read, for this reason. Does nothing when all has been read. */
  end(reason: unknown): void
  /** The fault that `stream` has ended with; `undefined` when it has none. */
  fault(): unknown
}

/**
 * Counts the bytes of a stream.
 * @param maxBytes an upload that has more fails as `request_too_large`. @default no limit
 * @param admit is asked with the number of bytes that have been read, before the stream gives the latest of them; if it
 *   rejects, the stream fails with that. @default everything is admitted
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
    // A read that is under way when the stream is cancelled gives the same as one at its end.
    if (broken) throw broken.fault
    isWhole = done
    return value
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      async pull(given) {
        const piece = begun.shift() ?? (isWhole ? undefined : await next())
        if (piece === undefined) given.close()
        else given.enqueue(piece)
      },
      // The reader wants no more: that is no fault of the stream.
      async cancel(reason) {
        isWhole = true
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )

  return {
    async beginning(length) {
      const head: number[] = []
      while (head.length < length) {
        const piece = await next()
        if (piece === undefined) break
        begun.push(piece)
        head.push(...piece.subarray(0, length))
      }
      return Uint8Array.from(head)
    },
    stream,
    size: () => bytes,
    end,
    fault: () => broken?.fault,
  }
}
