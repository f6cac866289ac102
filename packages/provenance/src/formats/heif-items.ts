import { ascii, asciiIn, joined, numbersIn, uint32 } from '../bytes/binary.ts'
import { boxIn, boxOf } from './iso-boxes.ts'
import { itemLocations, type Locations, withLocation } from './heif-locations.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** Where the XMP of a picture is. */
export interface XmpPlace {
  /** Its place in the file. `undefined` when it is in the box `meta`. */
  readonly start?: number
  readonly length: number
  /** Its content, when it is in the box `meta`. */
  readonly inMeta?: Uint8Array
}

/** What the box `meta` of a picture says (ISO/IEC 14496-12, 8.11). */
export interface Items {
  /** The boxes in it, in their order. */
  readonly boxes: readonly Uint8Array[]
  readonly locations: Locations
  readonly primary: number
  /** An id that no item has. */
  readonly freeId: number
  /** The XMP of the picture; `undefined` when it has none. */
  readonly xmp: XmpPlace | undefined
}

const xmpType = 'application/rdf+xml'
/** How many bytes of `meta` are in front of the boxes in it: its head, its version and its flags. */
const metaHead = 12

/** Reads the items of a picture. @throws UnmarkableError when they can't be read */
export function itemsIn(meta: Uint8Array): Items {
  try {
    const boxes = boxesIn(meta, metaHead)
    const byType = (type: string) => boxes.find((box) => asciiIn(box, 4, 8) === type)
    const [pitm, iinf, iloc] = [byType('pitm'), byType('iinf'), byType('iloc')]
    if (numbersIn(meta).getUint32(0) === 1 || !pitm || !iinf || !iloc)
      throw new UnmarkableError('it lacks a list of its items')
    const numbers = numbersIn(pitm)
    const primary = pitm[8] === 0 ? numbers.getUint16(12) : numbers.getUint32(12)
    const locations = itemLocations(iloc)
    const infos = boxesIn(iinf, iinf[8] === 0 ? 14 : 16).map(infoIn)
    const ids = [primary, ...infos.map(({ id }) => id), ...locations.items.map(({ id }) => id)]
    const freeId = Math.max(...ids, ...groupIdsIn(byType('grpl'))) + 1
    const info = infos.find(({ mime }) => mime === xmpType)
    return { boxes, locations, primary, freeId, xmp: info && placeOf(info.id, locations, byType('idat')) }
  } catch (fault) {
    if (fault instanceof RangeError) throw new UnmarkableError('its list of items can not be read')
    throw fault
  }
}

function boxesIn(bytes: Uint8Array, start: number): readonly Uint8Array[] {
  const boxes: Uint8Array[] = []
  for (let at = start; at < bytes.byteLength;) {
    const { length } = boxIn(bytes.subarray(at))
    if (at + length > bytes.byteLength) throw new UnmarkableError('a box is longer than the one around it')
    boxes.push(bytes.subarray(at, at + length))
    at += length
  }
  return boxes
}

/** The id of an item, and its type if it is a file of another format. */
function infoIn(infe: Uint8Array): { readonly id: number; readonly mime: string } {
  const version = infe[8] ?? 0
  const isLong = version === 3
  const numbers = numbersIn(infe)
  const id = isLong ? numbers.getUint32(12) : numbers.getUint16(12)
  const at = isLong ? 18 : 16
  if (version < 2 || asciiIn(infe, at, at + 4) !== 'mime') return { id, mime: '' }
  const [, mime = ''] = asciiIn(infe, at + 4).split('\0')
  return { id, mime }
}

/** Groups of items share the ids of items. */
function groupIdsIn(grpl: Uint8Array | undefined): readonly number[] {
  return grpl ? boxesIn(grpl, 8).map((group) => numbersIn(group).getUint32(12)) : []
}

function placeOf(id: number, { items }: Locations, idat: Uint8Array | undefined): XmpPlace {
  const [item] = items.filter((one) => one.id === id)
  const [extent, ...others] = item?.extents ?? []
  if (!item || !extent || others.length > 0 || item.method > 1 || extent.length === 0)
    throw new UnmarkableError('its XMP can not be read')
  const start = item.base + extent.offset
  const { length } = extent
  return item.method === 0
    ? { start, length }
    : { length, inMeta: idat?.slice(8 + start, 8 + start + length) ?? new Uint8Array() }
}

/**
 * The box `meta` with an item for XMP, whose content is in a box `mdat` right behind it.
 * @param start where the box is in the file
 */
export function metaWithXmp(meta: Uint8Array, items: Items, start: number, packetBytes: number): Uint8Array {
  const { boxes, locations, freeId: id, primary } = items
  if (id > 0xffff || primary > 0xffff) throw new UnmarkableError('it has too many items')
  const sixteen = (value: number) => Uint8Array.of(value >> 8, value & 0xff)
  const name = ascii(`mime\0${xmpType}\0`)
  const infe = boxOf(ascii('infe'), Uint8Array.of(2, 0, 0, 0), sixteen(id), sixteen(0), name)
  const hasLongIds = boxes.some((box) => asciiIn(box, 4, 8) === 'iref' && box[8] !== 0)
  const idOf = hasLongIds ? uint32 : sixteen
  const cdsc = boxOf(ascii('cdsc'), idOf(id), sixteen(1), idOf(primary))
  const hasReferences = boxes.some((box) => asciiIn(box, 4, 8) === 'iref')

  const end = start + meta.byteLength
  const addedToMeta = infe.byteLength + cdsc.byteLength + (hasReferences ? 0 : 12) + locations.entryBytes
  const changed = boxes.map((box) => {
    const type = asciiIn(box, 4, 8)
    if (type === 'iinf') return longer(withOneMore(box), infe)
    if (type === 'iref') return longer(box, cdsc)
    if (type !== 'iloc') return box
    const moved = { from: end, by: addedToMeta + 8 + packetBytes }
    return withLocation(locations, moved, { id, offset: end + addedToMeta + 8, length: packetBytes })
  })
  const references = hasReferences ? [] : [boxOf(ascii('iref'), new Uint8Array(4), cdsc)]
  return joined(uint32(meta.byteLength + addedToMeta), meta.subarray(4, metaHead), ...changed, ...references)
}

function longer(box: Uint8Array, added: Uint8Array): Uint8Array {
  return joined(uint32(box.byteLength + added.byteLength), box.subarray(4), added)
}

/** The box `iinf` with a count that is higher by one. */
function withOneMore(iinf: Uint8Array): Uint8Array {
  const box = iinf.slice()
  const numbers = numbersIn(box)
  if (box[8] === 0) numbers.setUint16(12, numbers.getUint16(12) + 1)
  else numbers.setUint32(12, numbers.getUint32(12) + 1)
  return box
}
