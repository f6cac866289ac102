/** The SHA-256 (FIPS 180-4) of the bytes in lower-case hexadecimal. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The same of a text in UTF-8. */
export function sha256OfText(text: string): Promise<string> {
  return sha256Hex(new TextEncoder().encode(text))
}
