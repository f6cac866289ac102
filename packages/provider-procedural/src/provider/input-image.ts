import { Buffer } from 'node:buffer'

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

/** What the bytes are, by their signature alone; nothing else is ever decoded, SVG least of all. */
export function sniffImage(bytes: Uint8Array): ImageType | undefined {
  const text = String.fromCharCode(...bytes.subarray(0, 12))
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('RIFF') && text.endsWith('WEBP')) return 'image/webp'
  return undefined
}

const dataUriHead = /^data:image\/(?:png|jpe?g|webp|gif);base64,/i

/** Whether the text is a data URI of a picture that can be edited. Looks at its head only, however long it is. */
export function isImageDataUri(text: string): boolean {
  const head = dataUriHead.exec(text.slice(0, 40))
  return (
    head !== null &&
    sniffImage(Buffer.from(text.slice(head[0].length, head[0].length + 32), 'base64')) !== undefined
  )
}

/** The bytes of a data URI that `isImageDataUri` accepts. */
export function readDataUri(text: string): Uint8Array {
  return Buffer.from(text.slice(text.indexOf(',') + 1), 'base64')
}
