import { createHash } from 'node:crypto'

export const filmChunks = 40
const chunkBytes = 25_000

/** One chunk of a film, different in each place of each version. */
export function filmChunk(version: number, index: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(chunkBytes).fill(version * filmChunks + index)
}

export async function filmDigest(version: number): Promise<string> {
  return digestOf(
    await new Blob(Array.from({ length: filmChunks }, (_, index) => filmChunk(version, index))).bytes(),
  )
}

export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A film as a stream. Before chunk `heldAt` it calls `onHeld` and comes to a stop. */
export function filmStream(
  version: number,
  heldAt = Infinity,
  onHeld = () => {},
): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (index === heldAt) {
          onHeld()
          return new Promise(() => {})
        }
        if (index === filmChunks) controller.close()
        else controller.enqueue(filmChunk(version, index++))
      },
    },
    { highWaterMark: 0 },
  )
}
