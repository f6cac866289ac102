/**
 * A stream of the pieces that a generator makes, each when the reader asks for it.
 * @param cancel called once if the reader stops or the generator fails
 */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  cancel: (reason: unknown) => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (fault) {
          // Not awaited: a source that does not answer must not keep the error back.
          void cancel(fault)
          throw fault
        }
      },
      cancel,
    },
    { highWaterMark: 0 },
  )
}
