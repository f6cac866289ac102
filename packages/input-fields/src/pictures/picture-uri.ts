import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'

/** The types of pictures that are recognised by their first bytes, `mp4` for films, and the types of recordings. */
export type PictureType =
  'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'mp4' | 'mp3' | 'wav' | 'flac' | 'ogg' | 'm4a'

/** The media type of each type, and its name. */
const known: Readonly<Record<PictureType, readonly [mediaType: string, name: string]>> = {
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

/**
 * Splits a data URI of a picture, a film or a recording. It looks only at the first 100 characters, so that long texts cost no time.
 * @returns `undefined` when the text is not a data URI with any of these in base64
 */
export function pictureUri(text: string): PictureUri | undefined {
  const [head, mediaType] = /^data:((?:image|video|audio)\/[\w.+-]+);base64,/i.exec(text.slice(0, 100)) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  const named = mediaType.toLowerCase()
  return { mediaType: otherNames[named] ?? named, base64: text.slice(head.length) }
}

export function isOneOf(types: readonly PictureType[], mediaType: string): boolean {
  return types.some((type) => mediaType === known[type][0])
}

/** Whether the media type of the data URI is one of `types`, and its first bytes are those of such a file. */
export function isUriOf(types: readonly PictureType[], { mediaType, base64 }: PictureUri): boolean {
  const beginning = Buffer.from(base64.slice(0, 32), 'base64')
  return isOneOf(types, mediaType) && isOneOf(types, mediaTypeOf(beginning))
}

/** The types in words, such as `a PNG, JPEG or WebP picture`, or `an MP4 film`. */
export function namesOf(types: readonly PictureType[]): string {
  const named = (prefix: string, noun: string) => {
    const names = types.filter((type) => known[type][0].startsWith(prefix)).map((type) => known[type][1])
    const all = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')
    return all && `${all.startsWith('M') ? 'an' : 'a'} ${all} ${noun}`
  }
  return [named('image/', 'picture'), named('video/', 'film'), named('audio/', 'recording')]
    .filter(Boolean)
    .join(', or ')
}
