const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The code of `=`. */
const padding = 61

/**
 * The bytes in base64 (RFC 4648 section 4). `btoa` needs the bytes as a text first, and blocks the event loop for ten
 * times as long.
 */
export function toBase64(bytes: Uint8Array): string {
  const letters = new TextEncoder().encode(alphabet)
  const digits = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  let at = 0
  for (let i = 0; i < bytes.length; i += 3) {
    // A byte behind the end is undefined, which counts as 0 here.
    const three = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!
    digits[at++] = letters[three >> 18]!
    digits[at++] = letters[(three >> 12) & 63]!
    digits[at++] = letters[(three >> 6) & 63]!
    digits[at++] = letters[three & 63]!
  }
  const missing = (3 - (bytes.length % 3)) % 3
  digits.fill(padding, digits.length - missing)
  return new TextDecoder().decode(digits)
}

/**
 * Decodes base64, padded or not; `undefined` for any other value. A plain loop, because `Uint8Array.from` blocks the
 * process for two seconds with 15 MB.
 */
export function fromBase64(base64: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof base64 !== 'string') return undefined
  try {
    const binary = atob(base64)
    const bytes = new Uint8Array(binary.length)
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
    return bytes
  } catch {
    return undefined
  }
}
