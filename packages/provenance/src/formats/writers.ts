import { markedGif } from './gif.ts'
import { markedHeif } from './heif.ts'
import { markedFilm } from './iso-film.ts'
import { markedJpeg } from './jpeg.ts'
import type { MarkWriter } from './mark-slot.ts'
import { markedPng } from './png.ts'
import { markedSvg } from './svg.ts'
import { markedWebp } from './webp.ts'

const writers: Readonly<Record<string, MarkWriter>> = {
  'image/avif': markedHeif,
  'image/gif': markedGif,
  'image/heic': markedHeif,
  'image/heif': markedHeif,
  'image/jpeg': markedJpeg,
  'image/png': markedPng,
  'image/svg+xml': markedSvg,
  'image/webp': markedWebp,
  'video/3gpp': markedFilm,
  'video/mp4': markedFilm,
  'video/quicktime': markedFilm,
  'audio/mp4': markedFilm,
}

/** The writer for files of a media type. @returns `undefined` for a type that can't be marked */
export function writerFor(contentType: string): MarkWriter | undefined {
  return Object.hasOwn(writers, contentType) ? writers[contentType] : undefined
}
