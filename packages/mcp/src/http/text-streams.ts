import { byteStream, type TextSource } from '@genmount/v1-interface'

/** The texts behind streams, for hosts that send text better than through the stream of a web Response. */
const texts = new WeakMap<ReadableStream, TextSource>()

/** Makes a stream of the text. Its end is also that of the text, and so is the abort of the request. */
export function streamOfText(source: TextSource, request: Request): ReadableStream<Uint8Array> {
  let isRead = false
  function listen(): void {
    isRead = true
    const { signal } = request
    if (signal.aborted) source.cancel()
    signal.addEventListener('abort', () => source.cancel(), { once: true })
  }

  const stream = byteStream({
    next() {
      // Not before the first read: a host that sends the text itself needs no listener.
      if (!isRead) listen()
      return source.next()
    },
    cancel: () => source.cancel(),
  })
  texts.set(stream, source)
  return stream
}

/** The text behind a stream that {@link streamOfText} has made, for a host that sends it itself. */
export function textOfStream(stream: ReadableStream): TextSource | undefined {
  return texts.get(stream)
}
