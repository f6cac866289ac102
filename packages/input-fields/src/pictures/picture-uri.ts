import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'

/** The types of pictures that are recognised by their first bytes. */
export type PictureType = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'

const typeNames: Readonly<Record<PictureType, string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  gif: 'GIF',
  avif: 'AVIF',
}

/** The parts of a data URI with a picture. */
export interface PictureUri {
  readonly mediaType: string
  readonly base64: string
}

/**
 * Splits a data URI of a picture. It looks only at the first 100 characters, so that long texts cost no time.
 * @returns `undefined` when the text is not a data URI with a picture in base64
 */
export function pictureUri(text: string): PictureUri | undefined {
  const [head, mediaType] = /^data:(image\/[\w.+-]+);base64,/i.exec(text.slice(0, 100)) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  return {
    mediaType: mediaType.toLowerCase().replace(/^image\/jpg$/, 'image/jpeg'),
    base64: text.slice(head.length),
  }
}

export function isOneOf(types: readonly PictureType[], mediaType: string): boolean {
  return types.some((type) => mediaType === `image/${type}`)
}

/** Whether the media type of the data URI is one of `types`, and its first bytes are those of such a picture. */
export function isUriOf(types: readonly PictureType[], { mediaType, base64 }: PictureUri): boolean {
  const beginning = Buffer.from(base64.slice(0, 32), 'base64')
  return isOneOf(types, mediaType) && isOneOf(types, mediaTypeOf(beginning))
}

/** The names of the types in words, such as `PNG, JPEG or WebP`. */
export function namesOf(types: readonly PictureType[]): string {
  const names = types.map((type) => typeNames[type])
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')
}
