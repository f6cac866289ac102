/**
 * Reads a body to its end into one buffer that grows, because a list of chunks takes far more than their bytes when the
 * server sends them one by one. Limits are the body's own.
 * @throws what the body fails with
 */
export async function gatherBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new Uint8Array(64 * 1024)
  let length = 0
  for await (const chunk of body) {
    if (length + chunk.byteLength > buffer.byteLength) {
      const larger = new Uint8Array(Math.max(buffer.byteLength * 2, length + chunk.byteLength))
      larger.set(buffer.subarray(0, length))
      buffer = larger
    }
    buffer.set(chunk, length)
    length += chunk.byteLength
  }
  // A copy of its own size, so that nobody who holds on to it or sends its `buffer` has the rest with it.
  return buffer.slice(0, length)
}
