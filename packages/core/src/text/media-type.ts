/** The media types that we know, by how their files begin; `*` stands for any byte. */
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
 * The media type of a file by its first bytes, whatever anybody says of it.
 * @returns `application/octet-stream` for what we do not know
 */
export function mediaTypeOf(bytes: Uint8Array): string {
  const begins = (beginning: string) =>
    Array.from(beginning).every((character, i) => character === '*' || bytes[i] === character.charCodeAt(0))
  return signatures.find(([, beginning]) => begins(beginning))?.[0] ?? 'application/octet-stream'
}
