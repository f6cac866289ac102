import { joined, numbersIn, uint32 } from '../bytes/binary.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** The content of one item: one or more parts of the file. */
export interface ItemLocation {
  readonly id: number
  /** 0: in the file. 1: in the box `idat`. 2: in another item. */
  readonly method: number
  /** 0: in this file. */
  readonly reference: number
  /** What is added to the offset of each part. */
  readonly base: number
  readonly extents: readonly { readonly index: number; readonly offset: number; readonly length: number }[]
}

/** A box `iloc`, which says where the content of items is (ISO/IEC 14496-12, 8.11.3). */
export interface Locations {
  readonly version: number
  /** How many bytes each number has: 0, 4 or 8. */
  readonly sizes: {
    readonly offset: number
    readonly length: number
    readonly base: number
    readonly index: number
  }
  readonly items: readonly ItemLocation[]
  /** How many bytes an item with one part takes. */
  readonly entryBytes: number
}

/** Reads a box `iloc`. @throws RangeError when it is cut off */
export function itemLocations(iloc: Uint8Array): Locations {
  const numbers = numbersIn(iloc)
  const [version = 0, first = 0, second = 0] = [iloc[8], iloc[12], iloc[13]]
  if (version > 2) throw new UnmarkableError('its list of items has an unknown version')
  const sizes = {
    offset: first >> 4,
    length: first & 15,
    base: second >> 4,
    index: version === 0 ? 0 : second & 15,
  }
  let at = 14
  const read = (bytes: number): number => {
    const value =
      bytes === 0
        ? 0
        : bytes === 2
          ? numbers.getUint16(at)
          : bytes === 4
            ? numbers.getUint32(at)
            : bytes === 8
              ? Number(numbers.getBigUint64(at))
              : NaN
    if (Number.isNaN(value)) throw new UnmarkableError('its list of items has numbers of an unknown size')
    at += bytes
    return value
  }
  const idBytes = version === 2 ? 4 : 2
  const count = read(idBytes)
  const items = Array.from({ length: Math.min(count, iloc.byteLength) }, (): ItemLocation => {
    const id = read(idBytes)
    const method = version === 0 ? 0 : read(2) & 15
    const reference = read(2)
    const base = read(sizes.base)
    const extents = Array.from({ length: read(2) }, () => ({
      index: read(sizes.index),
      offset: read(sizes.offset),
      length: read(sizes.length),
    }))
    return { id, method, reference, base, extents }
  })
  const head = idBytes + (version === 0 ? 0 : 2) + 2 + sizes.base + 2
  return { version, sizes, items, entryBytes: head + sizes.index + sizes.offset + sizes.length }
}

/**
 * The box `iloc` with one item more.
 * @param moved from which place on the content of the file has moved, and by how many bytes
 */
export function withLocation(
  { version, sizes, items }: Locations,
  moved: { readonly from: number; readonly by: number },
  added: { readonly id: number; readonly offset: number; readonly length: number },
): Uint8Array {
  const parts: Uint8Array[] = []
  const write = (bytes: number, value: number): void => {
    if (value >= 2 ** (8 * bytes)) throw new UnmarkableError('its list of items has no room for the mark')
    const number = new Uint8Array(8)
    numbersIn(number).setBigUint64(0, BigInt(value))
    parts.push(number.subarray(8 - bytes))
  }
  const idBytes = version === 2 ? 4 : 2
  const movedBy = (place: number, { method, reference }: ItemLocation) =>
    method === 0 && reference === 0 && place >= moved.from ? moved.by : 0

  const isInBase = sizes.offset === 0
  const own = { index: 0, offset: isInBase ? 0 : added.offset, length: added.length }
  const all = [
    ...items,
    { id: added.id, method: 0, reference: 0, base: isInBase ? added.offset : 0, extents: [own] },
  ]
  write(idBytes, all.length)
  for (const item of all) {
    // The new item is where it says already.
    const by = (place: number) => (item.id === added.id ? 0 : movedBy(place, item))
    write(idBytes, item.id)
    if (version > 0) write(2, item.method)
    write(2, item.reference)
    write(sizes.base, item.base + (isInBase ? by(item.base) : 0))
    write(2, item.extents.length)
    for (const { index, offset, length } of item.extents) {
      write(sizes.index, index)
      write(sizes.offset, offset + (isInBase ? 0 : by(item.base + offset)))
      write(sizes.length, length)
    }
  }
  const head = Uint8Array.of(
    version,
    0,
    0,
    0,
    (sizes.offset << 4) | sizes.length,
    (sizes.base << 4) | sizes.index,
  )
  const content = joined(head, ...parts)
  return joined(uint32(content.byteLength + 8), Uint8Array.of(0x69, 0x6c, 0x6f, 0x63), content)
}
