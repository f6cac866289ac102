import { judgedBytes, mediaTypeOf } from '@genmount/core'
import { byteSource } from '../bytes/byte-source.ts'
import type { MarkSlot } from '../formats/mark-slot.ts'
import { UnmarkableError } from '../formats/unmarkable-error.ts'
import { writerFor } from '../formats/writers.ts'
import { vocabulary } from '../xmp/mark.ts'
import { markIn } from '../xmp/xmp-packet.ts'

/** What a file says about how it was made. */
export interface Provenance {
  /** The media type by the first bytes of the file. Absent for what is no media. */
  readonly contentType?: string
  /** Whether files of this type can be read, and this one could to its end. */
  readonly isReadable: boolean
  /**
   * The digital source type of the IPTC: its term, such as `trainedAlgorithmicMedia`, or a whole URL if it is not of their
   * vocabulary. Absent when the file has none.
   */
  readonly digitalSourceType?: string
  /** The AI system or model that the file names. */
  readonly model?: string
  /** When the file was made, as it says. */
  readonly time?: string
  /** The id of the job that the file names. */
  readonly job?: string
  /** Whether the file has a C2PA manifest. Whether that is valid is not checked. */
  readonly hasC2paManifest: boolean
}

/**
 * Reads the mark of a file: its XMP, and whether it has a C2PA manifest. It reads the file to its end and holds no more of it
 * than one header or packet. It verifies nothing: everybody can write such a mark into a file, or remove it.
 * @throws the error of the stream
 */
export async function readProvenance(body: ReadableStream<Uint8Array>): Promise<Provenance> {
  const file = byteSource(body)
  const contentType = mediaTypeOf((await file.peek(judgedBytes)).slice())
  const writer = contentType === undefined ? undefined : writerFor(contentType)
  let packet: Uint8Array | undefined
  let hasC2paManifest = false
  const slot: MarkSlot = {
    packetFor(existing) {
      packet ??= existing?.slice()
      return undefined
    },
    manifest: () => void (hasC2paManifest = true),
  }
  let isReadable = writer !== undefined
  try {
    if (writer) for await (const _piece of writer(file, slot));
  } catch (fault) {
    if (!(fault instanceof UnmarkableError)) throw fault
    isReadable = false
  } finally {
    await file.cancel('read')
  }
  const { sourceType, ...said } = packet ? markIn(packet) : {}
  return {
    ...(contentType !== undefined && { contentType }),
    isReadable,
    ...(sourceType !== undefined && { digitalSourceType: termOf(sourceType) }),
    ...said,
    hasC2paManifest,
  }
}

function termOf(sourceType: string): string {
  return sourceType.startsWith(vocabulary) ? sourceType.slice(vocabulary.length) : sourceType
}
