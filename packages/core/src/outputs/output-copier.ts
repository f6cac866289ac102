import type { ServiceParts } from '../contracts/service-parts.ts'
import { watchedBody } from '../bytes/watched-body.ts'
import type { FileFetch } from '../contracts/storage/file-store.ts'
import type { Job, JobOutput } from '../contracts/job.ts'
import { backOffMs } from '../pacing/pauses.ts'
import type { Ending } from '../contracts/ending.ts'
import { namedFile, type NamedFile } from '../job/file-key.ts'
import type { JobEvent } from '../job/job-event.ts'
import { firstWords, shortText } from '../text/short-text.ts'
import { type ChangesOf, type FileChanges, fileChanges } from './changed-output.ts'
import type { FileReading, ReadingOf } from './file-reading.ts'
import { isJudged, mediaTypeOf } from '../text/media-type.ts'
import type { OwnerMarks } from '../sharing/owner-marks.ts'
import { fieldsOf } from '../job/whose.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** What the copier works with. */
export interface CopyContext extends Pick<ServiceParts, 'clock' | 'closing' | 'files' | 'givingUp' | 'log'> {
  /** Fetches from the provider's links. */
  readonly fetch: FileFetch
  /** The largest output that is copied, in bytes. */
  readonly maxOutputBytes: number
  readonly ownerMarkOf: OwnerMarks
  readonly changesOf: ChangesOf
  readonly readingOf: ReadingOf
}

/**
 * Copies the outputs of a completed job that are still at the provider. Stops when `lapsed` ends, because from then on
 * another process may copy the outputs, or delete the job: a file that is stored later could stay for ever.
 * @returns the event that ends the copying step
 */
export type OutputCopier = (job: Job, lapsed: Ending) => Promise<JobEvent>

/** What plugins do with a file of this media type while it passes. */
interface PassingFile {
  changesFor(contentType: string): FileChanges
  readingFor(contentType: string): FileReading | undefined
}

/** The first bytes of a file show its type, because servers give films and pictures all kinds of types, or none. */
const accept = ['*/*']
/** The types of pages, which are refused whatever their bytes show. */
const isPage = /^(?:text\/html|application\/xhtml)\b/i
/** How long one fetch may take, in milliseconds. */
const timeoutMs = 15 * 60_000
/**
 * How long the file store may take for a copy. It is longer than for a fetch, because the store reads during the fetch.
 */
const putLimitMs = timeoutMs + 60_000
const maxBackOffMs = 15 * 60_000

/**
 * How many times to try to copy the outputs of a job. The pauses between the tries add up to about three and a half
 * hours. Providers delete their files after about one hour, so further tries would find nothing.
 */
const maxTries = 24
/**
 * How many times to try if every error has `retryable: false`. More than once, because the file may not be available
 * yet.
 */
const maxTriesRefused = 5

/**
 * Makes the function that copies outputs from the provider's links into the file store. The copy is needed because
 * providers delete their files long before the job expires. An output that can't be copied is tried again later, and
 * nothing else in the job changes.
 */
export function outputCopier({
  files,
  fetch,
  maxOutputBytes,
  clock,
  log,
  ownerMarkOf,
  changesOf,
  readingOf,
  closing,
  givingUp,
}: CopyContext): OutputCopier {
  async function copy(output: JobOutput, job: Job, index: number, lapsed: Ending): Promise<JobOutput> {
    let changes: FileChanges | undefined
    const changesFor = (contentType: string) =>
      (changes ??= fileChanges(changesOf({ job, index, contentType })))
    for (;;)
      try {
        return await copyOnce(output, namedFile(job, index), lapsed, {
          changesFor,
          readingFor: (contentType) => readingOf({ job, index, contentType }),
        })
      } catch (fault) {
        if (!changes?.leaveOutFailed()) throw fault
      }
  }

  async function copyOnce(
    { url = '', contentType: named, revisedPrompt }: JobOutput,
    { fileKey, details }: NamedFile,
    lapsed: Ending,
    { changesFor, readingFor }: PassingFile,
  ): Promise<JobOutput> {
    const controller = new AbortController()
    const stop = () => controller.abort(new Error('The copy was called off.'))
    const takeBack = [closing.onEnd(stop), lapsed.onEnd(stop)]
    try {
      const { signal } = controller
      const limits = {
        accept,
        maxBytes: maxOutputBytes,
        timeoutMs,
        signal,
        owner: ownerMarkOf(details.owner),
      }
      const { body, contentType: claimed = '' } = await fetch(url, limits)
      if (isPage.test(claimed)) throw page(claimed)
      const file = watchedBody(body)
      const head = await file.beginning(isJudged)
      const contentType = mediaTypeOf(head, named)
      if (contentType === undefined) throw noMedia(head, url)
      const { stream, size } = changesFor(contentType).applied(file)
      const reading = readingFor(contentType)
      const put = () => files.put(fileKey, reading?.through(stream) ?? stream, contentType, details)
      await withinLimit(clock, putLimitMs, 'file store', put, givingUp)
      const facts = await reading?.facts()
      return {
        fileKey,
        contentType,
        bytes: size(),
        ...(revisedPrompt !== undefined && { revisedPrompt }),
        ...facts,
      }
    } finally {
      for (const takeListenerBack of takeBack) takeListenerBack()
      stop()
    }
  }

  return async (job, lapsed) => {
    const outputs: JobOutput[] = []
    const faults: unknown[] = []
    for (const [index, output] of job.outputs.entries()) {
      const copied =
        output.url === undefined || output.fileKey !== undefined
          ? output
          : await copy(output, job, index, lapsed).catch((fault: unknown) => {
              faults.push(fault)
              return output
            })
      outputs.push(copied)
    }
    if (faults.length === 0) return { type: 'copied', outputs }
    if (closing.hasEnded) return { type: 'interrupted', outputs }

    const tries = job.attempts + 1
    if (tries >= (faults.every(isLasting) ? maxTriesRefused : maxTries)) {
      log.error(
        `The outputs of job ${job.id} could not be copied and stay at the provider: ${shortText(faults[0])}`,
        fieldsOf(job),
      )
      return { type: 'copied', outputs }
    }
    if (tries === 1)
      log.warn(
        `The outputs of job ${job.id} could not be copied and are tried again: ${shortText(faults[0])}`,
        fieldsOf(job),
      )
    return { type: 'copied', outputs, retryAt: clock.now() + backOffMs(job.attempts, maxBackOffMs) }
  }
}

function page(contentType: string): Error {
  const fault = new Error(`The server of the output sent a page (${contentType}).`)
  return Object.assign(fault, { retryable: false })
}

/**
 * A page or an error that is sent with status 200 may be there for a moment only, so the copy is tried again. It may
 * repeat the link, which can contain a secret.
 */
function noMedia(head: Uint8Array, url: string): Error {
  if (head.byteLength === 0) return new Error('The output is empty.')
  let words = firstWords(head)
  for (const secret of URL.parse(url)?.searchParams.values() ?? [])
    words = words.replaceAll(secret || '?', '…')
  return new Error(`The output is no picture and no film: ${words}`)
}

/** Whether the error of a fetch means that another try would fail as well. */
function isLasting(fault: unknown): boolean {
  return fault instanceof Error && 'retryable' in fault && fault.retryable === false
}
