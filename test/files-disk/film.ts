import { createHash } from 'node:crypto'

export const filmChunks = 40

/** One chunk of a film, different in each place of each version. */
export const filmChunk = (version: number, index: number) =>
  new Uint8Array(25_000).fill(version * filmChunks + index)

export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const filmDigest = (version: number) =>
  digestOf(Buffer.concat(Array.from({ length: filmChunks }, (_, index) => filmChunk(version, index))))

/** A film as a stream. Before chunk `heldAt` it calls `onHeld` and comes to a stop. */
export function filmStream(version: number, heldAt = Infinity, onHeld = () => {}) {
  let index = 0
  function pull(controller: ReadableStreamDefaultController<Uint8Array>) {
    if (index === heldAt) {
      onHeld()
      return new Promise<void>(() => {})
    }
    return index === filmChunks ? controller.close() : controller.enqueue(filmChunk(version, index++))
  }
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
}
