import { GenerationError, type Clock } from '@genmount/core'

/** How long a client may read nothing of an output before the download is cut. */
export const maxStillMs = 60_000

/**
 * The same bytes, for a client that reads them: when it has asked for nothing more for a minute, the download breaks off
 * and lets go of the file, which would stay open for as long as the client likes. A source that gives nothing is waited
 * for: how long it may take is its store's to say.
 */
export function watchedDownload(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  clock: Clock,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.getReader()
  let stopWatch = () => {}

  return new ReadableStream(
    {
      start: watch,
      async pull(controller) {
        stopWatch()
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        watch(controller)
      },
      cancel(reason) {
        stopWatch()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )

  function watch(controller: ReadableStreamDefaultController): void {
    stopWatch = clock.after(maxStillMs, () => {
      const reason = new GenerationError(
        'request_timeout',
        `The client has read nothing for ${maxStillMs} ms.`,
      )
      controller.error(reason)
      reader.cancel(reason).catch(() => {})
    })
  }
}
