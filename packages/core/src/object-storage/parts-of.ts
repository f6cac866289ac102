import { freeMemory, gatheredBytes } from '../bytes/gathered-bytes.ts'

/** The parts of a file, in their order. */
export interface Parts {
  /**
   * The next part.
   * @returns `undefined` after the last part
   * @throws the stream's error; TypeError when the stream gives anything but bytes
   */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Says that a part is no longer needed. Its memory is freed at once if it is a copy and not the caller's own. */
  free(part: Uint8Array): void
  /** Lets go of the rest of the stream. A `next()` that is waiting resolves with what has arrived. */
  cancel(reason: unknown): Promise<void>
}

const none = new Uint8Array()

/** Cuts a file into parts of `partBytes` bytes each. Only the last part may be shorter. */
export function partsOf(body: Uint8Array | ReadableStream<Uint8Array>, partBytes: number): Parts {
  return body instanceof Uint8Array
    ? partsOfBytes(body as Uint8Array<ArrayBuffer>, partBytes)
    : partsOfStream(body, partBytes)
}

function partsOfBytes(bytes: Uint8Array<ArrayBuffer>, partBytes: number): Parts {
  let start = 0
  return {
    async next() {
      if (start >= bytes.byteLength) return undefined
      const part = bytes.subarray(start, start + partBytes)
      start += partBytes
      return part
    },
    free() {},
    cancel: async () => {},
  }
}

function partsOfStream(stream: ReadableStream<Uint8Array>, partBytes: number): Parts {
  const reader = stream.getReader()
  let chunk: Uint8Array = none
  return {
    async next() {
      // Without `expectedBytes` every piece is copied, so that the part may be freed.
      const part = gatheredBytes()
      while (part.size < partBytes) {
        if (chunk.byteLength === 0) {
          const { done, value } = await reader.read()
          if (done) break
          if (!(value instanceof Uint8Array))
            throw new TypeError('The body of a file must be a stream of Uint8Array.')
          chunk = value
          continue
        }
        const room = partBytes - part.size
        part.add(chunk.subarray(0, room))
        chunk = chunk.subarray(room)
      }
      return part.size === 0 ? undefined : part.whole()
    },
    free: freeMemory,
    cancel: (reason) => reader.cancel(reason),
  }
}
