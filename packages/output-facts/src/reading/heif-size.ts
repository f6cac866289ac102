import { type Box, boxes, boxIn } from './iso-boxes.ts'

/** The size of a picture in pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/**
 * The size of the primary picture of an AVIF or HEIC as it is shown: cut out and turned, and of a picture that is made of tiles the
 * whole (ISO/IEC 23008-12, 6.5, and ISO/IEC 14496-12, 8.11).
 * @param head the file, or at least its box `meta`
 * @throws RangeError, or an error that says what is missing
 */
export function heifSize(head: Uint8Array): PictureSize {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const inside = (type: string, parent: Pick<Box, 'end' | 'start'>, skipped = 0) => {
    const box = boxIn(view, type, parent, skipped)
    if (!box) throw new Error(`The box ${type} is missing.`)
    return box
  }
  const meta = inside('meta', { start: 0, end: view.byteLength })
  const primary = inside('pitm', meta, 4)
  const properties = inside('iprp', meta, 4)
  const item = idAt(view, primary.start + 4, view.getUint8(primary.start) > 0)
  const indexes = associations(view, inside('ipma', properties), item)
  const all = [...boxes(view, inside('ipco', properties))]
  let size: PictureSize | undefined
  for (const index of indexes) {
    const property = all[index - 1]
    if (property) size = sizeAfter(view, property, size)
  }
  if (!size) throw new Error('The primary picture has no size.')
  return size
}

/** The size after a property: each of them changes what those before have made, in their order. */
function sizeAfter(
  view: DataView,
  { type, start }: Box,
  size: PictureSize | undefined,
): PictureSize | undefined {
  const ratioAt = (at: number) => Math.round(view.getUint32(at) / view.getUint32(at + 4))
  switch (type) {
    case 'ispe':
      return { width: view.getUint32(start + 4), height: view.getUint32(start + 8) }
    case 'clap':
      return { width: ratioAt(start), height: ratioAt(start + 8) }
    case 'irot':
      return size && view.getUint8(start) % 2 === 1 ? { width: size.height, height: size.width } : size
    default:
      return size
  }
}

/** The numbers of the properties of an item, counted from 1. */
function associations(view: DataView, { start }: Box, item: number): readonly number[] {
  const hasLongIds = view.getUint8(start) > 0
  const isWide = view.getUint8(start + 3) % 2 === 1
  const count = view.getUint32(start + 4)
  let at = start + 8
  for (let entry = 0; entry < count; entry++) {
    const id = idAt(view, at, hasLongIds)
    at += hasLongIds ? 4 : 2
    const properties = view.getUint8(at++)
    const size = isWide ? 2 : 1
    const numberAt = (place: number) =>
      isWide ? view.getUint16(place) & 0x7fff : view.getUint8(place) & 0x7f
    if (id === item) return Array.from({ length: properties }, (_, index) => numberAt(at + index * size))
    at += properties * size
  }
  return []
}

function idAt(view: DataView, at: number, isLong: boolean): number {
  return isLong ? view.getUint32(at) : view.getUint16(at)
}
