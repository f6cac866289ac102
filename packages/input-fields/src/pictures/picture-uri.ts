import { Buffer } from 'node:buffer'
import { mediaTypeOf } from '@genmount/core'

const typeNames = { png: 'PNG', jpeg: 'JPEG', webp: 'WebP', gif: 'GIF', avif: 'AVIF' } as const

/** The kinds of pictures that are told by their first bytes. */
export type PictureType = keyof typeof typeNames

/** A data URI of a picture, taken apart. */
export interface PictureUri {
  readonly mediaType: string
  readonly base64: string
}

/** Looks at the head only, however long the text is. */
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

/** Whether it says that it is such a picture, and begins like one. */
export function isUriOf(types: readonly PictureType[], { mediaType, base64 }: PictureUri): boolean {
  const beginning = Buffer.from(base64.slice(0, 32), 'base64')
  return isOneOf(types, mediaType) && isOneOf(types, mediaTypeOf(beginning))
}

/** `PNG, JPEG or WebP`. */
export function namesOf(types: readonly PictureType[]): string {
  const names = types.map((type) => typeNames[type])
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')
}
