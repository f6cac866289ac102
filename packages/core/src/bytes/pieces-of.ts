/** How many bytes a piece has. */
const pieceBytes = 65_536

/** A stream of bytes that are in memory, in pieces that are parts of them. */
export function piecesOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close()
        controller.enqueue(bytes.subarray(at, at + pieceBytes))
        at += pieceBytes
      },
    },
    { highWaterMark: 0 },
  )
}
