/** The media types that are recognised, each with the first bytes of its files. `*` stands for any byte. */
const signatures: readonly (readonly [contentType: string, beginning: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF****WEBP'],
  ['image/avif', '****ftypavif'],
  ['image/heic', '****ftypheic'],
  ['image/heic', '****ftypheix'],
  ['video/quicktime', '****ftypqt  '],
  ['audio/mp4', '****ftypM4A '],
  ['video/mp4', '****ftyp'],
  ['video/webm', '\x1a\x45\xdf\xa3'],
  ['audio/wav', 'RIFF****WAVE'],
  ['audio/mpeg', 'ID3'],
  ['audio/mpeg', '\xff\xfb'],
  ['audio/mpeg', '\xff\xfa'],
  ['audio/mpeg', '\xff\xf3'],
  ['audio/mpeg', '\xff\xf2'],
  ['audio/ogg', 'OggS'],
  ['audio/flac', 'fLaC'],
]

/** How many bytes of a file {@link mediaTypeOf} needs. */
export const signatureBytes = 12

/** Pictures and videos, but not `image/svg+xml`, which can contain scripts. */
const harmless = /^(image|video)\/[\w.-]+$/

/**
 * Recognises the media type of a file by its first bytes.
 * @param bytes the file, or at least its first 12 bytes
 * @param named the type that the provider reports. It counts only if the first bytes show no type, and only for a type
 * of picture or video that can't be recognised by first bytes
 * @returns the media type, or `application/octet-stream` when it is not known
 */
export function mediaTypeOf(bytes: Uint8Array, named = ''): string {
  const begins = (beginning: string) =>
    Array.from(beginning).every((character, i) => character === '*' || bytes[i] === character.charCodeAt(0))
  const shown = signatures.find(([, beginning]) => begins(beginning))?.[0]
  if (shown !== undefined) return shown
  const type = named.toLowerCase()
  const isShownByBytes = signatures.some(([contentType]) => contentType === type)
  return harmless.test(type) && !isShownByBytes ? type : 'application/octet-stream'
}
