/** The bytes in base64 (RFC 4648 section 4), as a data URI has them. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  // In pieces, because a function takes only so many arguments.
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  return btoa(text)
}
