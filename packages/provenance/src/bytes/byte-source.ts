import { UnmarkableError } from '../formats/unmarkable-error.ts'

/** The most bytes that are held at a time: those of one header, or of one XMP packet. */
export const mostHeldBytes = 1_048_576

/** Reads a stream in portions of known sizes. The pieces are those of the stream, or parts of them. */
export interface ByteSource {
  /** How many bytes have been taken or passed. */
  readonly position: number
  /**
   * Looks at the next bytes, without taking them.
   * @returns fewer than `count` bytes when the file ends before
   * @throws UnmarkableError when they are more than `mostHeldBytes`
   */
  peek(count: number): Promise<Uint8Array>
  /** Takes the next bytes. @throws UnmarkableError when the file ends before, or they are more than `mostHeldBytes` */
  take(count: number): Promise<Uint8Array>
  /** Passes the next bytes on, however many. @throws UnmarkableError when the file ends before */
  pass(count: number): AsyncGenerator<Uint8Array>
  /** Passes all bytes on that are left. */
  rest(): AsyncGenerator<Uint8Array>
  /** Ends the stream. Never rejects. */
  cancel(reason: unknown): Promise<void>
}

/** Begins to read a stream. */
export function byteSource(body: ReadableStream<Uint8Array>): ByteSource {
  const reader = body.getReader()
  /** What has been read ahead. */
  let ahead: Uint8Array = new Uint8Array()
  let position = 0

  async function piece(): Promise<Uint8Array | undefined> {
    if (ahead.byteLength > 0) return ahead
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return undefined
      if (value.byteLength > 0) return (ahead = value)
    }
  }

  async function peek(count: number): Promise<Uint8Array> {
    if (count > mostHeldBytes) throw new UnmarkableError('a part of its header is too large')
    if (ahead.byteLength < count) {
      const gathered = new Uint8Array(count)
      let length = Math.min(ahead.byteLength, count)
      gathered.set(ahead.subarray(0, length))
      while (length < count) {
        const { done, value } = await reader.read()
        if (done) break
        const part = value.subarray(0, count - length)
        gathered.set(part, length)
        length += part.byteLength
        if (part.byteLength === value.byteLength) continue
        // The rest of the last piece is kept behind what was gathered.
        const whole = new Uint8Array(count + value.byteLength - part.byteLength)
        whole.set(gathered)
        whole.set(value.subarray(part.byteLength), count)
        ahead = whole
        return whole.subarray(0, count)
      }
      ahead = gathered.subarray(0, length)
    }
    return ahead.subarray(0, count)
  }

  function taken(count: number): Uint8Array {
    const bytes = ahead.subarray(0, count)
    ahead = ahead.subarray(bytes.byteLength)
    position += bytes.byteLength
    return bytes
  }

  return {
    get position() {
      return position
    },
    peek,
    async take(count) {
      if ((await peek(count)).byteLength < count) throw cutOff()
      return taken(count)
    },
    async *pass(count) {
      for (let left = count; left > 0;) {
        if (!(await piece())) throw cutOff()
        const bytes = taken(left)
        left -= bytes.byteLength
        yield bytes
      }
    },
    async *rest() {
      while (await piece()) yield taken(ahead.byteLength)
    },
    cancel: (reason) => reader.cancel(reason).catch(() => {}),
  }
}

function cutOff(): UnmarkableError {
  return new UnmarkableError('it is cut off')
}
