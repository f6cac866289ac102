/** The media types that are recognised, each with the first bytes of its files. `*` stands for any byte. */
const signatures: readonly (readonly [contentType: string, beginning: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF****WEBP'],
  ['image/avif', '****ftypavif'],
  ['video/quicktime', '****ftypqt  '],
  ['video/mp4', '****ftyp'],
  ['video/webm', '\x1a\x45\xdf\xa3'],
]

/**
 * Recognises the media type of a file by its first bytes.
 * @param bytes the file, or at least its first 12 bytes
 * @returns the media type, or `application/octet-stream` when it is not recognised
 */
export function mediaTypeOf(bytes: Uint8Array): string {
  const begins = (beginning: string) =>
    Array.from(beginning).every((character, i) => character === '*' || bytes[i] === character.charCodeAt(0))
  return signatures.find(([, beginning]) => begins(beginning))?.[0] ?? 'application/octet-stream'
}
