import { ascii, asciiIn } from '../bytes/binary.ts'
import { type ByteSource, mostHeldBytes } from '../bytes/byte-source.ts'
import { itemsIn, metaWithXmp, type XmpPlace } from './heif-items.ts'
import { boxId, boxOf, nextBox } from './iso-boxes.ts'
import { markedFilm } from './iso-film.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** Brands of files that are sequences of pictures, with the index of a film: AVIF 1.1, 6.3; ISO/IEC 23008-12, 10. */
const sequences = /^(?:avis|msf1|hev[cx]|hevm|hevs)$/

/**
 * Marks an AVIF or HEIC by an item of the type `application/rdf+xml` that describes the primary picture (ISO/IEC 23008-12,
 * 6.5 and A.3). Its content is in a new box `mdat` behind the box `meta`, so the places of all content behind that grow. A
 * sequence is marked as a film.
 */
export async function* markedHeif(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  if (sequences.test(asciiIn(await file.peek(12), 8))) return yield* markedFilm(file, slot)
  let xmp: XmpPlace | undefined
  let isChanged = false
  for (let box = await nextBox(file); box; box = await nextBox(file)) {
    if (box.uuid === boxId.c2pa) slot.manifest()
    if (box.type === 'moov' && isChanged) throw new UnmarkableError('it has the index of a film')
    if (box.type !== 'meta') {
      yield* passBox(file, box.length, xmp, slot)
      continue
    }
    if (box.length > mostHeldBytes) throw new UnmarkableError('its list of items is too large')
    const start = file.position
    const meta = await file.take(box.length)
    const items = itemsIn(meta)
    xmp = items.xmp
    if (xmp?.inMeta) keep(slot, xmp.inMeta)
    const packet = xmp ? undefined : slot.packetFor(undefined)
    isChanged = packet !== undefined
    yield packet ? metaWithXmp(meta, items, start, packet.byteLength) : meta
    if (packet) yield boxOf(ascii('mdat'), packet)
  }
}

/** Passes a box on, and shows the packet in it. */
async function* passBox(
  file: ByteSource,
  length: number,
  xmp: XmpPlace | undefined,
  slot: MarkSlot,
): AsyncGenerator<Uint8Array> {
  const end = file.position + length
  if (xmp?.start !== undefined && xmp.start >= file.position && xmp.start + xmp.length <= end) {
    yield* file.pass(xmp.start - file.position)
    const packet = await file.take(xmp.length)
    keep(slot, packet)
    yield packet
  }
  yield* length === Infinity ? file.rest() : file.pass(end - file.position)
}

function keep(slot: MarkSlot, packet: Uint8Array): void {
  if (slot.packetFor(packet)) throw new UnmarkableError('it has XMP that can not grow in a stream')
}
