const latin1 = new TextDecoder('latin1')

/** Bytes as text of one character each, such as the name of a chunk. */
export function asciiIn(bytes: Uint8Array, start = 0, end = bytes.byteLength): string {
  return latin1.decode(bytes.subarray(start, end))
}

/** A text of ASCII characters as bytes. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** Puts bytes together. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** A view of the numbers in bytes. */
export function numbersIn(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** A whole number of four bytes, the highest first. */
export function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  numbersIn(bytes).setUint32(0, value)
  return bytes
}

/** A whole number of four bytes, the lowest first. */
export function uint32Little(value: number): Uint8Array {
  return uint32(value).toReversed()
}
