import { ascii, asciiIn, joined, numbersIn } from '../bytes/binary.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

const xmpName = 'http://ns.adobe.com/xap/1.0/\0'
/** The length of a segment is a number of two bytes, which counts itself. */
const mostPacketBytes = 65_535 - 2 - xmpName.length

/** The markers of JPEG (ITU-T T.81, table B.1) that matter here. */
const marker = { app1: 0xe1, app2: 0xe2, app11: 0xeb, comment: 0xfe, startOfScan: 0xda, endOfImage: 0xd9 }

/**
 * Marks a JPEG by an `APP1` segment (XMP Specification Part 3, 1.1.3) behind the other application segments, so that JFIF and
 * Exif stay in front. It is in front of the list of further pictures (CIPA DC-007, `MPF`), whose offsets count from there. The
 * manifest of C2PA is in `APP11` segments (C2PA 2.2, A.3.1).
 */
export async function* markedJpeg(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  yield await file.take(2)
  for (;;) {
    const head = await file.peek(4)
    const [start, type = 0] = head
    if (head.byteLength < 4 || start !== 0xff || type < 0xc0)
      throw new UnmarkableError('it is cut off, or no JPEG')
    const length = numbersIn(head).getUint16(2) + 2
    const segment = await file.peek(Math.min(length, 64))
    if (type === marker.app11 && isManifest(segment)) slot.manifest()
    if (!isApplication(type) || (type === marker.app2 && nameIs(segment, 'MPF\0')))
      yield* segmentOf(slot.packetFor(undefined))
    if (type === marker.app1 && nameIs(segment, xmpName)) {
      const whole = await file.take(length)
      const packet = slot.packetFor(whole.subarray(4 + xmpName.length))
      yield* packet ? segmentOf(packet) : [whole]
    } else yield* file.pass(length)
    if (type === marker.startOfScan) return yield* pixels(file)
  }
}

/** Passes the rest on. @throws UnmarkableError at its end if the picture has none */
async function* pixels(file: ByteSource): AsyncGenerator<Uint8Array> {
  let before = 0
  let hasEnd = false
  for await (const piece of file.rest()) {
    hasEnd ||= before === 0xff && piece[0] === marker.endOfImage
    for (let at = piece.indexOf(0xff); !hasEnd && at >= 0; at = piece.indexOf(0xff, at + 1))
      hasEnd = piece[at + 1] === marker.endOfImage
    before = piece.at(-1) ?? before
    yield piece
  }
  if (!hasEnd) throw new UnmarkableError('it is cut off')
}

function isApplication(type: number): boolean {
  return (type >= 0xe0 && type <= 0xef) || type === marker.comment
}

function nameIs(segment: Uint8Array, name: string): boolean {
  return asciiIn(segment, 4, 4 + name.length) === name
}

/** Whether a segment begins a box of JUMBF (ISO/IEC 19566-5, D.2): `JP`, two numbers, then the head of a box `jumb`. */
function isManifest(segment: Uint8Array): boolean {
  return nameIs(segment, 'JP') && asciiIn(segment, 16, 20) === 'jumb'
}

function segmentOf(packet: Uint8Array | undefined): readonly Uint8Array[] {
  if (!packet) return []
  if (packet.byteLength > mostPacketBytes) throw new UnmarkableError('its XMP has no room for the mark')
  const length = packet.byteLength + xmpName.length + 2
  return [joined(Uint8Array.of(0xff, marker.app1, length >> 8, length & 0xff), ascii(xmpName), packet)]
}
