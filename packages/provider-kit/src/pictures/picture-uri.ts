import { fromBase64, judgedBytes, mediaTypeOf } from '@genmount/core'

/** The types of pictures that are recognised by their first bytes, `mp4` for films, and the types of recordings. */
export type PictureType =
  | 'png'
  | 'jpeg'
  | 'webp'
  | 'gif'
  | 'avif'
  | 'mp4'
  | 'mp3'
  | 'wav'
  | 'flac'
  | 'ogg'
  | 'm4a'

/** The media type of each type, and its name. */
const formats: Readonly<Record<PictureType, readonly [mediaType: string, name: string]>> = {
  png: ['image/png', 'PNG'],
  jpeg: ['image/jpeg', 'JPEG'],
  webp: ['image/webp', 'WebP'],
  gif: ['image/gif', 'GIF'],
  avif: ['image/avif', 'AVIF'],
  mp4: ['video/mp4', 'MP4'],
  mp3: ['audio/mpeg', 'MP3'],
  wav: ['audio/wav', 'WAV'],
  flac: ['audio/flac', 'FLAC'],
  ogg: ['audio/ogg', 'Ogg'],
  m4a: ['audio/mp4', 'M4A'],
}

/** Other names that browsers and systems give these media types. */
const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
}

/** The parts of a data URI with a picture, a film or a recording. */
export interface PictureUri {
  readonly mediaType: string
  readonly base64: string
}

/** The longest part of a data URI before its content, in characters. */
const longestHead = 1000
/** The media type may have parameters, such as `;name=a.png`: https://www.rfc-editor.org/rfc/rfc2397#section-3 */
const uriHead = /^data:((?:image|video|audio)\/[\w.+-]+)(?:;[^;,]*)*;\s*base64,/i

/**
 * Splits a data URI of a picture, a film or a recording. It looks only at the first 1000 characters, so that long texts
 * cost no time.
 * @returns `undefined` when the text is not a data URI with any of these in base64
 */
export function pictureUri(text: string): PictureUri | undefined {
  const [head, mediaType] = uriHead.exec(text.slice(0, longestHead)) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  const named = mediaType.toLowerCase()
  return { mediaType: otherNames[named] ?? named, base64: text.slice(head.length) }
}

export function isOneOf(types: readonly PictureType[], mediaType: string | undefined): boolean {
  return types.some((type) => mediaType === formats[type][0])
}

/** How many digits of base64 the bytes take that show the type of a file. */
const judgedDigits = Math.ceil(judgedBytes / 3) * 4

/** The media type that the first bytes show, as `mediaTypeOf` returns it. */
export function shownType({ mediaType, base64 }: PictureUri): string | undefined {
  return mediaTypeOf(fromBase64(base64.slice(0, judgedDigits)) ?? new Uint8Array(), mediaType)
}

/** Whether the media type of the data URI is one of `types`, and its first bytes are those of such a file. */
export function isUriOf(types: readonly PictureType[], uri: PictureUri): boolean {
  return isOneOf(types, uri.mediaType) && isOneOf(types, shownType(uri))
}

/** The types in words, such as `a PNG, JPEG or WebP picture`, or `an MP4 film`. */
export function namesOf(types: readonly PictureType[]): string {
  const named = (prefix: string, noun: string) => {
    const names = types.filter((type) => formats[type][0].startsWith(prefix)).map((type) => formats[type][1])
    const all = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')
    return all && `${all.startsWith('M') ? 'an' : 'a'} ${all} ${noun}`
  }
  return [named('image/', 'picture'), named('video/', 'film'), named('audio/', 'recording')]
    .filter(Boolean)
    .join(', or ')
}
