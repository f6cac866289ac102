const sliceBytes = 24 * 1024

/** The bytes in base64 (RFC 4648 section 4). Written in slices, because a function takes only so many arguments. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  // Slices of a multiple of three bytes, whose base64 has no padding.
  for (let start = 0; start < bytes.byteLength; start += sliceBytes)
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + sliceBytes)))
  return text
}
