import { ascii, asciiIn, joined } from '../bytes/binary.ts'
import { type ByteSource, mostHeldBytes } from '../bytes/byte-source.ts'
import type { MarkSlot } from './mark-slot.ts'
import { UnmarkableError } from './unmarkable-error.ts'

/** What a block begins with (GIF89a, appendix A). */
const sign = { extension: 0x21, image: 0x2c, trailer: 0x3b }
/** The labels of extensions: those of one picture, and those of applications. */
const label = { control: 0xf9, text: 0x01, application: 0xff }

/** So a reader that takes the packet for blocks of GIF finds the end of it, wherever it lands. */
const magicTrailer = joined(
  Uint8Array.of(1),
  Uint8Array.from({ length: 256 }, (_, at) => 255 - at),
  Uint8Array.of(0),
)

/**
 * Marks a GIF by an application extension in front of its first picture (XMP Specification Part 3, 1.1.2). The manifest of C2PA
 * is in such an extension as well (C2PA 2.2, A.3.5). Extensions exist since GIF89a, so GIF87a becomes that.
 */
export async function* markedGif(file: ByteSource, slot: MarkSlot): AsyncGenerator<Uint8Array> {
  const head = (await file.take(13)).slice()
  const colors = head[10]! & 0x80 ? 3 * 2 ** ((head[10]! & 7) + 1) : 0
  // Only a file with extensions can have a packet or a manifest, and GIF87a has none.
  head.set(ascii('9'), 4)
  yield head
  yield* file.pass(colors)
  for (;;) {
    const [kind, type] = await file.peek(3)
    const name = kind === sign.extension && type === label.application ? asciiIn(await file.peek(14), 3) : ''
    if (name === 'C2PA_GIF\x01\0\0') slot.manifest()
    const isPicture = kind === sign.extension ? type === label.control || type === label.text : true
    if (isPicture) yield* extensionOf(slot.packetFor(undefined))
    if (name === 'XMP DataXMP') yield* await markedExtension(file, slot)
    else if (kind === sign.extension) {
      yield await file.take(2)
      yield* passBlocks(file)
    } else if (kind === sign.image) yield* passPicture(file)
    else if (kind === sign.trailer) return yield* file.rest()
    else throw new UnmarkableError('it is cut off, or no GIF')
  }
}

async function* passPicture(file: ByteSource): AsyncGenerator<Uint8Array> {
  const head = await file.take(10)
  yield head
  const colors = head[9]! & 0x80 ? 3 * 2 ** ((head[9]! & 7) + 1) : 0
  yield* file.pass(colors + 1)
  yield* passBlocks(file)
}

/** Passes blocks on, each with its length in front, up to the empty one. */
async function* passBlocks(file: ByteSource): AsyncGenerator<Uint8Array> {
  for (let length = -1; length !== 0;) {
    length = (await file.peek(1))[0] ?? 0
    yield await file.take(length + 1)
  }
}

/** The extension of the packet that the file has, or of the packet in its place. */
async function markedExtension(file: ByteSource, slot: MarkSlot): Promise<readonly Uint8Array[]> {
  const head = await file.take(14)
  const blocks: Uint8Array[] = []
  let size = 0
  for await (const block of passBlocks(file)) {
    size += block.byteLength
    if (size > mostHeldBytes) throw new UnmarkableError('its XMP is too large')
    blocks.push(block.slice())
  }
  const data = joined(...blocks)
  const packet = slot.packetFor(data.subarray(0, Math.max(0, data.byteLength - magicTrailer.byteLength)))
  return packet ? extensionOf(packet) : [head, data]
}

function extensionOf(packet: Uint8Array | undefined): readonly Uint8Array[] {
  if (!packet) return []
  const head = joined(Uint8Array.of(sign.extension, label.application, 11), ascii('XMP DataXMP'))
  return [joined(head, packet, magicTrailer)]
}
