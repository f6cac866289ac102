import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'

/** The types of pictures that are recognised by their first bytes, and `mp4` for films. */
export type PictureType = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'mp4'

const typeNames: Readonly<Record<PictureType, string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  gif: 'GIF',
  avif: 'AVIF',
  mp4: 'MP4',
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
  return {
    mediaType: mediaType.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg'),
    base64: text.slice(head.length),
  }
}

export function isOneOf(types: readonly PictureType[], mediaType: string): boolean {
  return types.some((type) => mediaType === (type === 'mp4' ? 'video/mp4' : `image/${type}`))
}

/** Whether the media type of the data URI is one of `types`, and its first bytes are those of such a file. */
export function isUriOf(types: readonly PictureType[], { mediaType, base64 }: PictureUri): boolean {
  const beginning = Buffer.from(base64.slice(0, 32), 'base64')
  return isOneOf(types, mediaType) && isOneOf(types, mediaTypeOf(beginning))
}

/** The types in words, such as `a PNG, JPEG or WebP picture`, or `an MP4 film`. */
export function namesOf(types: readonly PictureType[]): string {
  const names = types.filter((type) => type !== 'mp4').map((type) => typeNames[type])
  const pictures = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')
  const films = types.includes('mp4') ? `an ${typeNames.mp4} film` : ''
  return [pictures && `a ${pictures} picture`, films].filter(Boolean).join(', or ')
}
