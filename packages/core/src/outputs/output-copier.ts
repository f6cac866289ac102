import type { Clock } from '../contracts/clock.ts'
import type { FileFetch, FileStore } from '../contracts/file-store.ts'
import type { Job, JobOutput } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { backOffMs } from '../pacing/back-off.ts'
import type { Ending } from '../pacing/ending.ts'
import { fileKeyOf } from '../job/file-key.ts'
import type { JobEvent } from '../job/job-machine.ts'
import { mediaTypeOf } from '../text/media-type.ts'
import type { OwnerMarks } from '../sharing/owner-marks.ts'
import { shortText } from '../text/short-text.ts'
import { withinLimit } from '../pacing/within-limit.ts'

export interface CopyContext {
  readonly files: FileStore
  readonly fetch: FileFetch
  readonly maxOutputBytes: number
  readonly clock: Clock
  readonly log: Log
  readonly ownerMarkOf: OwnerMarks
  /** Comes when the service closes. */
  readonly closing: Ending
}

/** Copies what a completed job has at its provider. `lost` comes when another has taken the job over. */
export type OutputCopier = (job: Job, lost: Ending) => Promise<JobEvent>

/** Object stores often serve media as plain bytes; what they are is told by how they begin. */
const accept = ['image/*', 'video/*', 'application/octet-stream', 'binary/octet-stream']
const timeoutMs = 15 * 60_000
/** How long the file store may take for a copy, which includes most of its way here. */
const putLimitMs = timeoutMs + 60_000
const maxBackOffMs = 15 * 60_000

/** Some four hours of tries: providers delete their files after one, and no longer pause would find them there. */
const maxTries = 24
/** What is refused for good may still be a file that is not there yet. */
const maxTriesRefused = 5

/** The longest beginning that a media type is told by. */
const signatureBytes = 12

/**
 * Copies outputs from the provider's links into the file store, because providers delete them long before the job
 * expires. Whatever goes wrong is tried again later and changes nothing else of the job.
 */
export function outputCopier({
  files,
  fetch,
  maxOutputBytes,
  clock,
  log,
  ownerMarkOf,
  closing,
}: CopyContext): OutputCopier {
  async function copy(url: string, fileKey: string, owner: string, lost: Ending): Promise<JobOutput> {
    const controller = new AbortController()
    const stop = () => controller.abort(new Error('The copy was called off.'))
    const takeBack = [closing.onEnd(stop), lost.onEnd(stop)]
    try {
      const { signal } = controller
      const { body } = await fetch(url, { accept, maxBytes: maxOutputBytes, timeoutMs, signal, owner })
      const [head, whole] = body.tee()
      const contentType = mediaTypeOf(await beginning(head))
      await withinLimit(clock, putLimitMs, 'file store', () => files.put(fileKey, whole, contentType))
      return { fileKey, contentType }
    } finally {
      for (const takeListenerBack of takeBack) takeListenerBack()
      stop()
    }
  }

  return async (job, lost) => {
    const outputs: JobOutput[] = []
    const faults: unknown[] = []
    for (const [index, output] of job.outputs.entries()) {
      const copied =
        output.url === undefined || output.fileKey !== undefined
          ? output
          : await copy(output.url, fileKeyOf(job, index), ownerMarkOf(job.owner), lost).catch(
              (fault: unknown) => {
                faults.push(fault)
                return output
              },
            )
      outputs.push(copied)
    }
    if (faults.length === 0) return { type: 'copied', outputs }
    if (closing.hasEnded) return { type: 'copied', outputs, retryAt: clock.now() }

    const tries = job.attempts + 1
    if (tries >= (faults.every(isLasting) ? maxTriesRefused : maxTries)) {
      log.error(
        `The outputs of job ${job.id} are not copied and stay at the provider: ${shortText(faults[0])}`,
      )
      return { type: 'copied', outputs }
    }
    if (tries === 1) log.warn(`The outputs of job ${job.id} are to be copied later: ${shortText(faults[0])}`)
    return { type: 'copied', outputs, retryAt: clock.now() + backOffMs(job.attempts, maxBackOffMs) }
  }
}

/** The first bytes of a stream, which is cancelled; its twin goes on. */
async function beginning(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = stream.getReader()
  const bytes: number[] = []
  while (bytes.length < signatureBytes) {
    const { value } = await reader.read()
    if (!value) break
    bytes.push(...value.subarray(0, signatureBytes))
  }
  if (bytes.length === 0) throw new Error('The output is empty.')
  // Resolves with the twin's end, which is somebody else's to wait for.
  reader.cancel().catch(() => {})
  return Uint8Array.from(bytes)
}

function isLasting(fault: unknown): boolean {
  return fault instanceof Error && 'retryable' in fault && fault.retryable === false
}
