/** Encodes bytes in base64 (RFC 4648 section 4), as data URIs use it. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  // In slices, because the number of arguments of a function call is limited.
  for (let start = 0; start < bytes.length; start += 8192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8192))
  return btoa(text)
}
