/** A stream that asks for a chunk when its reader does, and runs the source's `finally` on end, error and cancel. */
export function pulledFrom<Chunk>(source: AsyncGenerator<Chunk, void>): ReadableStream<Chunk> {
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
