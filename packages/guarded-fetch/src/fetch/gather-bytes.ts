/**
 * Reads a body to its end. It has no size limit of its own: the body must have one. The bytes are gathered in one
 * growing buffer, because a list of chunks takes far more memory than their bytes when a server sends one byte at a
 * time.
 * @throws the error that the body fails with
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
  // A copy of exactly this length, so that the unused end of the larger buffer is neither kept in memory nor sent on.
  return buffer.slice(0, length)
}
