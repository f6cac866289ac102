import type { BodyReader } from '@genmount/v1-interface'
import { readingTurns } from './reading-turns.ts'

/** The size of the buffer into which pieces are read on Deno, in bytes. */
const bufferBytes = 64 * 1024
/**
 * Deno 2.9 reads a piece of every connection in one turn of its event loop. Without this limit for all bodies together,
 * 200 large bodies hold up all other requests for 0.1 s at a time.
 */
const turns = readingTurns(8)

/**
 * The body of a request, to be read piece by piece.
 * @throws Error when the app has already read the body: that is a mistake of the app and not of the client
 */
export function bodyOf(request: Request): BodyReader {
  if (request.bodyUsed)
    throw new Error(
      'The app has read this body already. Mount genmount before what reads it, such as c.req.json() of Hono or the parsers of Elysia.',
    )
  const { body } = request
  if (body === null) return { read: () => Promise.resolve({ done: true }), cancel() {} }
  const reader = readerOf(body)
  return {
    read: () => reader.read(),
    // If a body has broken off, this rejects as well, but `read` has already rejected with the same error.
    cancel: () => void reader.cancel().catch(() => {}),
  }
}

function readerOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  // Deno 2.9 allocates 64 KiB for each piece that is read, even for a piece of one byte. So on Deno the
  // pieces are read into one buffer that is used again and again.
  if ('Deno' in globalThis) {
    try {
      return byteReader(body)
    } catch {
      // Deno's stream of a small body can't read into a given buffer.
    }
  }
  return body.getReader()
}

/** Reads a stream of bytes into one buffer, and returns each piece as a copy of the piece's own size. */
function byteReader(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader({ mode: 'byob' })
  let buffer = new Uint8Array(bufferBytes)
  return {
    async read() {
      await turns.take()
      const { done, value } = await reader.read(buffer)
      // Deno works much harder for many small chunks if they are read in many turns.
      if (!value || value.byteLength < bufferBytes / 2) turns.giveBack()
      if (done || value === undefined) return { done: true }
      const piece = value.slice()
      buffer = new Uint8Array(value.buffer)
      return { done, value: piece }
    },
    cancel: () => reader.cancel(),
  }
}
