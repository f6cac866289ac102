/** Bytes put together from pieces, in one buffer. */
export interface GatheredBytes {
  /** How many bytes have come. */
  readonly size: number
  /** Copies a piece behind those before it. @throws what `onGrow` throws, with nothing added */
  add(piece: Uint8Array): void
  /** All that has come, in a buffer of just its size. Ends the gathering. */
  whole(): Uint8Array<ArrayBuffer>
}

export interface GatheringOptions {
  /** How many bytes are to come at the most: the buffer never grows beyond. @default not known */
  readonly expectedBytes?: number | undefined
  /** Called before the buffer grows by so many bytes; what it throws keeps the buffer as it is. */
  readonly onGrow?: ((bytes: number) => void) | undefined
}

const firstBytes = 1024

/**
 * Gathers bytes that come in pieces of any size, for a cost that depends on the bytes and not on the number of pieces: a
 * list of a million pieces of one byte takes hundreds of megabytes. The buffer doubles as it fills, so it holds at most
 * twice what has come, whatever length was announced.
 */
export function gatheredBytes({ expectedBytes = Infinity, onGrow }: GatheringOptions = {}): GatheredBytes {
  let buffer = new ArrayBuffer(0)
  let bytes = new Uint8Array(buffer)
  let size = 0

  function makeRoom(needed: number): void {
    const doubled = Math.min(Math.max(2 * buffer.byteLength, firstBytes), expectedBytes)
    const length = Math.max(doubled, needed)
    onGrow?.(length - buffer.byteLength)
    // Lets go of the old buffer at once, without waiting for the garbage collector.
    buffer = buffer.transfer(length)
    bytes = new Uint8Array(buffer)
  }

  return {
    get size() {
      return size
    },
    add(piece) {
      const end = size + piece.byteLength
      if (end > buffer.byteLength) makeRoom(end)
      bytes.set(piece, size)
      size = end
    },
    whole() {
      if (size < buffer.byteLength) buffer = buffer.transfer(size)
      return new Uint8Array(buffer)
    },
  }
}
