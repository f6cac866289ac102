/** Puts pieces together into one buffer. */
export interface GatheredBytes {
  /** How many bytes have been added. */
  readonly size: number
  /**
   * Adds a piece at the end. The piece is copied, unless it is the first one and has `expectedBytes` bytes: then it is
   * kept, and the caller must not change it any more.
   * @throws what `onGrow` throws; then nothing was added
   */
  add(piece: Uint8Array): void
  /**
   * All bytes that were added. If they were copied, their buffer has exactly their size. Call it once, after the last
   * `add`.
   */
  whole(): Uint8Array<ArrayBuffer>
  /** Frees the copies at once, for example when the rest of the pieces is not wanted. Nothing can be added any more. */
  drop(): void
}

/** The options of {@link gatheredBytes}. */
export interface GatheringOptions {
  /** The most bytes that will be added: the buffer does not double beyond this. @default not known */
  readonly expectedBytes?: number | undefined
  /** How many bytes the buffer has at first. It is made when the first piece comes. @default 1024 */
  readonly firstBytes?: number | undefined
  /**
   * Called with the number of bytes by which the buffer is about to grow. If it throws, the buffer does not grow.
   * @default none
   */
  readonly onGrow?: ((bytes: number) => void) | undefined
}

const fewBytes = 1024
const none = new Uint8Array()

/**
 * Gathers bytes that arrive in pieces of any size. Its memory depends on the number of bytes and not on the number of
 * pieces, whereas a list of a million pieces of one byte takes hundreds of megabytes. The buffer begins with `firstBytes`
 * and doubles when it is full. So it has at most twice as many bytes as have arrived, or `firstBytes`, whatever length was
 * announced.
 */
export function gatheredBytes({
  expectedBytes = Infinity,
  firstBytes = fewBytes,
  onGrow,
}: GatheringOptions = {}): GatheredBytes {
  let bytes = none
  let isCopied = false

  function makeRoom(needed: number): void {
    const doubled = Math.min(Math.max(2 * bytes.byteLength, firstBytes, fewBytes), expectedBytes)
    const length = Math.max(doubled, needed)
    onGrow?.(length - bytes.byteLength)
    if (isCopied) {
      // `transfer` frees the old buffer at once; otherwise it would stay until the garbage collector runs.
      bytes = new Uint8Array(bytes.buffer.transfer(length))
      return
    }
    const larger = new Uint8Array(length)
    larger.set(bytes)
    bytes = larger
    isCopied = true
  }

  const gathered = {
    // A plain field and no getter, for the reason given in `ending`.
    size: 0,
    add(piece: Uint8Array) {
      const end = gathered.size + piece.byteLength
      // Most bodies arrive in one piece. To copy that piece would cost more than the rest of reading it.
      if (gathered.size === 0 && end === expectedBytes) {
        onGrow?.(end)
        bytes = piece as Uint8Array<ArrayBuffer>
      } else {
        if (end > bytes.byteLength) makeRoom(end)
        bytes.set(piece, gathered.size)
      }
      gathered.size = end
    },
    drop() {
      if (isCopied) bytes.buffer.transfer(0)
    },
    whole() {
      const all =
        gathered.size < bytes.byteLength ? new Uint8Array(bytes.buffer.transfer(gathered.size)) : bytes
      // The caller may keep this object for longer than the bytes.
      bytes = none
      isCopied = false
      return all
    },
  }
  return gathered
}

/**
 * Frees the memory of an array at once. The array is empty afterwards. Without this, code that makes one large array
 * after another holds many of them, until the garbage collector runs. An array that is only a part of its buffer is
 * left as it is, because other arrays may use the rest.
 */
export function freeMemory({ buffer, byteLength }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
