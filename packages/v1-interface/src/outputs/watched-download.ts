import { GenerationError, type Clock } from '@genmount/core'

/** How long a client may read nothing of an output, in milliseconds, before the download is ended. */
export const maxStillMs = 60_000

/**
 * Passes on the bytes of a file and ends the download when the client has read nothing for a minute; otherwise a client
 * that stops reading could keep the file open for as long as it likes. Only the client is timed: how long the source
 * may take is up to the file store.
 * @param letGo called when nothing more will be read from the source; it may be called more than once
 * @throws whatever the source throws before its first chunk. That chunk is read before this function returns, because
 * an error can't be reported once the reply has begun.
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
