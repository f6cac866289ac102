/** Bytes put together from pieces, in one buffer. */
export interface GatheredBytes {
  /** How many bytes have come. */
  readonly size: number
  /**
   * Adds a piece behind those before it. It is copied, unless it is all that is expected: then it must not change.
   * @throws what `onGrow` throws, with nothing added
   */
  add(piece: Uint8Array): void
  /** All that has come, in a buffer of just its size if it was copied. Ends the gathering. */
  whole(): Uint8Array<ArrayBuffer>
}

export interface GatheringOptions {
  /** How many bytes are to come at the most: the buffer never grows beyond. @default not known */
  readonly expectedBytes?: number | undefined
  /** Called before the buffer grows by so many bytes; what it throws keeps the buffer as it is. */
  readonly onGrow?: ((bytes: number) => void) | undefined
}

const firstBytes = 1024
const none = new Uint8Array()

/**
 * Gathers bytes that come in pieces of any size, for a cost that depends on the bytes and not on the number of pieces: a
 * list of a million pieces of one byte takes hundreds of megabytes. The buffer doubles as it fills, so it holds at most
 * twice what has come, whatever length was announced.
 */
export function gatheredBytes({ expectedBytes = Infinity, onGrow }: GatheringOptions = {}): GatheredBytes {
  let bytes = none
  let isCopied = false
  let size = 0

  function makeRoom(needed: number): void {
    const doubled = Math.min(Math.max(2 * bytes.byteLength, firstBytes), expectedBytes)
    const length = Math.max(doubled, needed)
    onGrow?.(length - bytes.byteLength)
    if (isCopied) {
      // Lets go of the old buffer at once, without waiting for the garbage collector.
      bytes = new Uint8Array(bytes.buffer.transfer(length))
      return
    }
    const larger = new Uint8Array(length)
    larger.set(bytes)
    bytes = larger
    isCopied = true
  }

  return {
    get size() {
      return size
    },
    add(piece) {
      const end = size + piece.byteLength
      // Most bodies come in one piece, and a buffer costs more than all else that is done to read them.
      if (size === 0 && end === expectedBytes) {
        onGrow?.(end)
        bytes = piece as Uint8Array<ArrayBuffer>
      } else {
        if (end > bytes.byteLength) makeRoom(end)
        bytes.set(piece, size)
      }
      size = end
    },
    whole: () => (size < bytes.byteLength ? new Uint8Array(bytes.buffer.transfer(size)) : bytes),
  }
}
