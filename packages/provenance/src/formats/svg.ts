import { ascii, asciiIn, joined } from '../bytes/binary.ts'
import type { ByteSource } from '../bytes/byte-source.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** Within how many bytes the first tag of a drawing must end. */
const firstBytes = 65_536
/** What may stand in front of the first tag: a mark of the order of bytes, declarations, comments. */
const prolog =
  /(?:\s+|\xef\xbb\xbf|<[?][^?>]*[?]>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)/iy
/** The first tag with its attributes, in which a `>` may be quoted. */
const firstTag = /<svg(?=[\s/>])(?:"[^"]*"|'[^']*'|[^"'>])*>/y

/**
 * Marks a drawing by an element `metadata` behind its first tag (XMP Specification Part 3, 1.3.9; SVG 2, 5.10). The manifest of
 * C2PA is in an element `c2pa:manifest` (C2PA 2.2, A.3.4). A drawing that has XMP already stays as it is.
 */
export async function* markedSvg(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  // One character for each byte, so that places in the text are places in the file.
  const begin = asciiIn(await file.peek(firstBytes))
  const end = endOfFirstTag(begin)
  yield await file.take(end)
  if (begin.includes('c2pa:manifest')) slot.manifest()
  const existing = existingIn(begin)
  if (existing && slot.packetFor(ascii(existing)))
    throw new UnmarkableError('it has XMP that is not changed in a drawing')
  const packet = existing ? undefined : slot.packetFor(undefined)
  if (packet && begin[end - 2] === '/') throw new UnmarkableError('it is empty')
  if (packet) yield joined(ascii('<metadata>'), packet, ascii('</metadata>'))

  /** The end of what has passed, because a word may be cut by the pieces. */
  let before = ''
  for await (const piece of file.rest()) {
    const text = before + asciiIn(piece)
    if (text.includes('<c2pa:manifest')) slot.manifest()
    if (packet && text.includes('<x:xmpmeta'))
      throw new UnmarkableError('it has XMP that is not changed in a drawing')
    before = text.slice(-64)
    yield piece
  }
  if (packet && !/<\/svg\s*>\s*(?:<!--[^]*-->\s*)?$/.test(before)) throw new UnmarkableError('it is cut off')
}

function endOfFirstTag(text: string): number {
  let at = 0
  for (prolog.lastIndex = 0; prolog.test(text); prolog.lastIndex = at) at = prolog.lastIndex
  firstTag.lastIndex = at
  if (!firstTag.test(text)) throw new UnmarkableError('its first tag can not be read')
  return firstTag.lastIndex
}

function existingIn(text: string): string | undefined {
  const start = text.indexOf('<x:xmpmeta')
  const end = text.indexOf('</x:xmpmeta>', start)
  return start < 0 || end < 0 ? undefined : text.slice(start, end + '</x:xmpmeta>'.length)
}
