import {
  callable,
  checkOptions,
  choice,
  type Job,
  listOf,
  optional,
  type OptionTable,
  type OutputChange,
  type OutputFile,
  type PluginHost,
  type ServicePlugin,
} from '@genmount/core'
import { byteSource } from '../bytes/byte-source.ts'
import { streamOf } from '../bytes/stream-of.ts'
import { type MarkSlot, markSlot, type MarkWriter } from '../formats/mark-slot.ts'
import { UnmarkableError } from '../formats/unmarkable-error.ts'
import { writerFor } from '../formats/writers.ts'
import type { Mark } from '../xmp/mark.ts'
import { mergedPacket, xmpPacketOf } from '../xmp/xmp-packet.ts'
import { sourceTypeOf } from './source-type-of.ts'

/** A file that is to be signed. */
export interface SignedFile {
  /** The file with its mark, to be read to its end. */
  readonly body: ReadableStream<Uint8Array>
  /** The media type of the file, such as `image/png`. */
  readonly contentType: string
  /** The job that has made the file. */
  readonly job: Job
}

/**
 * Adds a signed manifest to a file, for example one of C2PA.
 * @returns the signed file
 * @throws why it can't be signed. The file is then stored with its mark alone, and the reason goes to the log
 */
export type SignFile = (file: SignedFile) => ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>

/** The options of `provenance`. */
export interface ProvenanceOptions {
  /** How files are marked: by a property in their XMP. @default 'xmp' */
  readonly mark?: 'xmp' | undefined
  /**
   * What the mark says besides the digital source type: the id of the model, the time at which the job was ordered, and the id
   * of the job. The prompt is never written. @default nothing
   */
  readonly include?: readonly ('job' | 'model' | 'time')[] | undefined
  /** Signs each file after it is marked, unless it has a C2PA manifest already. @default files are not signed */
  readonly sign?: SignFile | undefined
}

const table = {
  mark: optional(choice('xmp'), 'xmp'),
  include: optional(listOf('a list of parts of the mark', choice('job', 'model', 'time')), []),
  sign: optional(callable<SignFile>()),
} satisfies OptionTable<ProvenanceOptions>

/**
 * Marks the outputs of a service as made by AI: each picture and film gets the IPTC's digital source type in its XMP on its way
 * into the file store. Pixels and sound stay as they are, and so does each file that has a C2PA manifest. What can't be marked
 * is stored as it is, and the log says why. Regulation (EU) 2024/1689 (AI Act), Article 50(2), asks providers of AI systems for
 * marks that machines can read; its recital 133 names metadata among the means. Whether these marks are enough for you is for
 * your lawyer to say.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, plugins: [provenance({ include: ['model'] })] })
 */
export function provenance(options: ProvenanceOptions = {}): ServicePlugin {
  const { include, sign } = checkOptions('provenance', options, table)
  return {
    name: 'provenance',
    attach(host) {
      const unmarkedTypes = new Set<string>()
      return {
        started() {
          if (!host.copiesOutputs)
            host.log.warn(
              'Outputs at links of providers are not marked, because the service does not copy them. It marks those that pass through its file store.',
            )
        },
        changeOutput(file) {
          const writer = writerFor(file.contentType)
          if (!writer && !unmarkedTypes.has(file.contentType)) {
            unmarkedTypes.add(file.contentType)
            host.log.warn(
              `Outputs of type ${file.contentType} can not be marked. They are stored as they are.`,
            )
          }
          return changesOf(file, writer, markOf(file, include, host), sign)
        },
      }
    },
  }
}

function markOf(
  { job }: OutputFile,
  include: readonly ('job' | 'model' | 'time')[],
  { modelOf }: PluginHost,
): Mark {
  return {
    sourceType: sourceTypeOf(job, modelOf(job.model)),
    ...(include.includes('model') && { model: job.model }),
    ...(include.includes('time') && { time: job.createdAt }),
    ...(include.includes('job') && { job: job.id }),
  }
}

/** The changes of one file. If one fails, the service makes the other one again. */
function changesOf(
  { contentType, job }: OutputFile,
  writer: MarkWriter | undefined,
  mark: Mark,
  sign: SignFile | undefined,
): readonly OutputChange[] {
  let isSigned = false
  const slotOf = (): MarkSlot => {
    const slot = markSlot((existing) => (existing ? mergedPacket(existing, mark) : xmpPacketOf(mark)))
    const manifest = () => {
      isSigned = true
      slot.manifest()
      // What signs the file must not get it, and may have got its beginning.
      if (sign) throw new UnmarkableError('it has a C2PA manifest, which stays valid like this')
    }
    return { packetFor: slot.packetFor, manifest }
  }
  const marking: OutputChange = (body) => {
    const file = byteSource(body)
    return streamOf(writer!(file, slotOf()), (reason) => file.cancel(reason))
  }
  const signing: OutputChange = (body) => (isSigned ? body : signedBody(sign!, { body, contentType, job }))
  return [...(writer ? [marking] : []), ...(sign ? [signing] : [])]
}

function signedBody(sign: SignFile, file: SignedFile): ReadableStream<Uint8Array> {
  async function* signed() {
    yield* byteSource(await sign(file)).rest()
  }
  return streamOf(signed(), async (reason) => {
    // A stream that has failed rejects this.
    if (!file.body.locked) await file.body.cancel(reason).catch(() => {})
  })
}
