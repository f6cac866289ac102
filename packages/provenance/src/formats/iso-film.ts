import { ascii, joined } from '../bytes/binary.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import { boxId, boxOf, fromHex, nextBox } from './iso-boxes.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/**
 * Marks an MP4 or MOV by a box `uuid` (XMP Specification Part 3, 1.3.6) behind all others, where it moves none of the offsets
 * by which the film finds its samples (ISO/IEC 14496-12, 8.7.5). In a fragmented film it is in front of `mfra`, which players
 * look for at the end (8.8.11). A packet that the film has already turns into free space of the same size, because a longer one
 * would move what is behind it. The manifest of C2PA is in a box `uuid` as well (C2PA 2.2, A.5.1).
 */
export async function* markedFilm(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  let packet: Uint8Array | undefined
  let isPlaced = false
  let hasHeader = false
  const place = () => {
    if (isPlaced) return []
    isPlaced = true
    const last = packet ?? slot.packetFor(undefined)
    return last ? [boxOf(ascii('uuid'), fromHex(boxId.xmp), last)] : []
  }
  for (let box = await nextBox(file); box; box = await nextBox(file)) {
    if (box.uuid === boxId.c2pa) slot.manifest()
    hasHeader ||= box.type === 'moov'
    if (box.length === Infinity) {
      if (!isPlaced && slot.packetFor(undefined))
        throw new UnmarkableError(`its last box, ${box.type}, has no length`)
      return yield* file.rest()
    }
    if (box.type === 'mfra') yield* place()
    if (box.uuid !== boxId.xmp) {
      yield* file.pass(box.length)
      continue
    }
    const whole = await file.take(box.length)
    packet = slot.packetFor(whole.subarray(box.headBytes))
    yield packet ? freed(whole) : whole
  }
  if (!hasHeader) throw new UnmarkableError('it has no box moov')
  yield* place()
}

/** The same bytes as a box of free space. */
function freed(box: Uint8Array): Uint8Array {
  return joined(box.subarray(0, 4), ascii('free'), box.subarray(8))
}
