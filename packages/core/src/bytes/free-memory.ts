/**
 * Frees the memory of an array at once. The array is empty afterwards. Without this, code that makes one large array
 * after another holds many of them, until the garbage collector runs. An array that is only a part of its buffer is
 * left as it is, because other arrays may use the rest.
 */
export function freeMemory({ buffer, byteLength }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
