import { GenerationError, type Clock } from '@genmount/core'

/** How long a client may read nothing of an output before the download is cut. */
export const maxStillMs = 60_000

/**
 * The same bytes, for a client that reads them: when it has asked for nothing more for a minute, the download breaks off
 * and lets go of the file, which would stay open for as long as the client likes. A source that gives nothing is waited
 * for: how long it may take is its store's to say.
 * @param letGo called when nothing more is read of the source; it may be called again
 * @throws what the source throws before its first chunk, which is read at once: a reply that has begun can't say it any more
 */
export async function watchedDownload(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  clock: Clock,
  letGo: () => void,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const reader = source.getReader()
  let first: Awaited<ReturnType<typeof reader.read>> | undefined = await reader.read()
  let stopWatch = () => {}

  return new ReadableStream(
    {
      start: watch,
      async pull(controller) {
        stopWatch()
        const { done, value } = first ?? (await reader.read().catch(breakOff))
        first = undefined
        if (!done) {
          controller.enqueue(value)
          return watch(controller)
        }
        letGo()
        controller.close()
      },
      cancel(reason) {
        stopWatch()
        letGo()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )

  function breakOff(error: unknown): never {
    letGo()
    throw error
  }

  function watch(controller: ReadableStreamDefaultController): void {
    stopWatch = clock.after(maxStillMs, () => {
      const reason = new GenerationError(
        'request_timeout',
        `The client has read nothing for ${maxStillMs} ms.`,
      )
      letGo()
      controller.error(reason)
      reader.cancel(reason).catch(() => {})
    })
  }
}
