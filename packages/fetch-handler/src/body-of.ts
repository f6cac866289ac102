import type { BodyReader } from '@genmount/v1-interface'

const roomBytes = 64 * 1024

/** @throws when somebody has read the body before us, which is a mistake of the app and not of its client */
export function bodyOf(request: Request): BodyReader {
  if (request.bodyUsed) throw new Error('The request body was read before the request came to genmount.')
  const { body } = request
  if (body === null) return { read: () => Promise.resolve({ done: true }), cancel() {} }
  const reader = readerOf(body)
  return {
    read: () => reader.read(),
    // A body that has broken off rejects this as well; who reads it knows already.
    cancel: () => void reader.cancel().catch(() => {}),
  }
}

function readerOf(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  // Deno 2.9 makes 64 KiB of room for each piece that is read, be the piece of one byte, so Deno is given room to use again.
  if ('Deno' in globalThis) {
    try {
      return byteReader(body)
    } catch {
      // Deno's stream of a small body does not read into room that is given.
    }
  }
  return body.getReader()
}

/** Reads a stream of bytes into one buffer, and gives each piece as a copy of just its size. */
function byteReader(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader({ mode: 'byob' })
  let room = new Uint8Array(roomBytes)
  return {
    async read() {
      const { done, value } = await reader.read(room)
      if (done || value === undefined) return { done: true }
      const piece = value.slice()
      room = new Uint8Array(value.buffer)
      return { done, value: piece }
    },
    cancel: () => reader.cancel(),
  }
}
