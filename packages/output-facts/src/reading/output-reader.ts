import type { OutputReading } from '@genmount/core'
import { type Provenance, readProvenance } from '@genmount/provenance'
import { endKeeper } from './file-ends.ts'
import { factsOfEnds } from './facts-of-ends.ts'
import { factsAsJson, type OutputFacts, type ProvenanceFacts } from './facts.ts'
import { runningHash } from './running-hash.ts'

/** The most characters of a text that a file says of itself. */
const longestText = 200

/** Reads a file while it passes, of which it keeps no more than the ends. @param contentType with which the file is stored */
export function outputReader(contentType: string): OutputReading {
  const ends = endKeeper()
  const hash = runningHash()
  const passing = new TransformStream<Uint8Array, Uint8Array>()
  const writer = passing.writable.getWriter()
  writer.closed.catch(() => {})
  const marks = readProvenance(passing.readable).catch(() => undefined)
  return {
    async read(bytes) {
      ends.add(bytes)
      await hash?.add(bytes)
      // It rejects when the marks are read before the end of the file. The copy is for pieces that their owner frees.
      await writer.write(bytes.slice()).catch(() => {})
    },
    async facts() {
      await writer.close().catch(() => {})
      const sha256 = await hash?.hex()
      return factsAsJson({
        ...(await factsOfEnds(ends.ends(), contentType)),
        ...(sha256 !== undefined && { sha256 }),
        ...provenanceFacts(await marks),
      })
    },
  }
}

/** What is kept of the marks: nothing of a file that can't be read, unless the mark was read before. */
function provenanceFacts(marks: Provenance | undefined): Pick<OutputFacts, 'provenance'> {
  if (!marks) return {}
  const { isReadable, contentType: _, hasC2paManifest, ...texts } = marks
  if (!isReadable && !hasC2paManifest && texts.digitalSourceType === undefined) return {}
  const said = Object.entries(texts).map(([name, text]) => [name, text.slice(0, longestText).toWellFormed()])
  return { provenance: { ...(Object.fromEntries(said) as Partial<ProvenanceFacts>), hasC2paManifest } }
}
