/**
 * Makes a stream of a generator. It asks the generator for a chunk only when its reader asks for one, and the
 * `finally` blocks of the generator run when the stream ends, fails or is canceled.
 */
export function pulledStream<Chunk>(source: AsyncGenerator<Chunk, void>): ReadableStream<Chunk> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await source.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await source.return()
      },
    },
    { highWaterMark: 0 },
  )
}
