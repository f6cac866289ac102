/** The bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** The bytes that base64 stands for; `undefined` for any other value. */
export function bytesIn(base64: unknown): Uint8Array | undefined {
  if (typeof base64 !== 'string') return undefined
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
