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
 * Whether a text is base64 and nothing else (RFC 4648 section 4): whole, padded, in one line, and without blanks, which
 * are often a lost `+`.
 */
export function isBase64(text: string): boolean {
  const padded = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padded))
}

/**
 * Decodes base64, padded or not, in lines or not; `undefined` for any other value, and for a text with a blank, which is
 * often a lost `+`. A plain loop, because `Uint8Array.from` blocks the process for two seconds with 15 MB.
 */
export function fromBase64(base64: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof base64 !== 'string' || base64.includes(' ')) return undefined
  try {
    const binary = atob(base64)
    const bytes = new Uint8Array(binary.length)
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i)
    return bytes
  } catch {
    return undefined
  }
}
