import { createHash, type Hash } from 'node:crypto'

/** The length of each chunk, in bytes. */
export const chunkBytes = 50_000

/** A stream of this many chunks, each filled with the last byte of its number. @param hash takes all bytes */
export function numberedStream(
  count: number,
  hash: Hash = createHash('sha256'),
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let index = 0
  return new ReadableStream({
    pull(controller) {
      if (index === count) return controller.close()
      const chunk = new Uint8Array(chunkBytes).fill(index++)
      hash.update(chunk)
      controller.enqueue(chunk)
    },
  })
}
