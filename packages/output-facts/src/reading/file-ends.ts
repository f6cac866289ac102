/**
 * How many bytes of the beginning of a file are kept, and how many of its end, so that a file of any size takes no more memory.
 * The index of a film is in one of the two. It takes about 600 bytes for a second, so there is room for almost an hour.
 */
export const endBytes = 2_097_152

/** The beginning and the end of a file. */
export interface FileEnds {
  /** The size of the whole file, in bytes. */
  readonly size: number
  /** The first bytes: at least `endBytes`, or the whole file. */
  readonly head: Uint8Array
  /** The last bytes. They may also be in `head`. */
  readonly tail: Uint8Array
}

/** Keeps the ends of a file that passes in pieces. */
export interface EndKeeper {
  /** Takes the next piece, of which it keeps copies. */
  add(piece: Uint8Array): void
  /** The ends of what has passed. */
  ends(): FileEnds
}

/** Begins to keep the ends of a file. */
export function endKeeper(): EndKeeper {
  let size = 0
  let head = new Uint8Array(65_536)
  let headLength = 0
  /** The last bytes: the byte at a place of the file is at this place modulo the length. Made when the head is full. */
  let ring = new Uint8Array()

  function keepHead(piece: Uint8Array): void {
    if (headLength + piece.byteLength > head.byteLength) {
      const larger = new Uint8Array(
        Math.min(endBytes, Math.max(2 * head.byteLength, headLength + piece.byteLength)),
      )
      larger.set(head)
      head = larger
    }
    head.set(piece, headLength)
    headLength += piece.byteLength
  }

  function keepTail(piece: Uint8Array, at: number): void {
    if (ring.byteLength === 0) ring = new Uint8Array(endBytes)
    const last = piece.subarray(-endBytes)
    const from = (at + piece.byteLength - last.byteLength) % endBytes
    const first = last.subarray(0, endBytes - from)
    ring.set(first, from)
    ring.set(last.subarray(first.byteLength), 0)
  }

  return {
    add(piece) {
      const beginning = piece.subarray(0, endBytes - headLength)
      if (beginning.byteLength > 0) keepHead(beginning)
      const rest = piece.subarray(beginning.byteLength)
      if (rest.byteLength > 0) keepTail(rest, size + beginning.byteLength)
      size += piece.byteLength
    },
    ends() {
      const tailLength = Math.min(size - headLength, ring.byteLength)
      const tail = new Uint8Array(tailLength)
      const from = (size - tailLength) % endBytes
      const first = ring.subarray(from, Math.min(ring.byteLength, from + tailLength))
      tail.set(first)
      tail.set(ring.subarray(0, tailLength - first.byteLength), first.byteLength)
      return { size, head: head.subarray(0, headLength), tail }
    },
  }
}

/**
 * Bytes of a file of which the ends are kept.
 * @param end the place behind the last of them
 * @throws Error when they are not among those that are kept
 */
export function bytesOf({ size, head, tail }: FileEnds, start: number, end: number): Uint8Array {
  if (end <= head.byteLength) return head.subarray(start, end)
  const tailStart = size - tail.byteLength
  if (start >= tailStart) return tail.subarray(start - tailStart, end - tailStart)
  if (tailStart > head.byteLength) throw new Error('These bytes are neither at the beginning nor at the end.')
  const bytes = new Uint8Array(end - start)
  bytes.set(head.subarray(start))
  bytes.set(tail.subarray(head.byteLength - tailStart, end - tailStart), head.byteLength - start)
  return bytes
}
