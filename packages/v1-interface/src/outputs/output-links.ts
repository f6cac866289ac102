import {
  type Clock,
  type FileStore,
  filesUnavailable,
  GenerationError,
  type Job,
  type JobOutput,
  outputName,
  redirectTarget,
} from '@genmount/core'
import { sha256 } from '../access/sha256.ts'
import type { RouteOptions } from '../interface/check-v1-options.ts'
import type { OwnedExchange } from '../interface/exchange.ts'
import { jobStatus } from '../wire/job-reply.ts'
import type { LinkSigner } from './link-signer.ts'

const linkLifeMs = 60 * 60 * 1000
/**
 * The service's own links end at full quarters of an hour, so that all requests within a quarter get the same link. A
 * browser has the file of that link in its cache.
 */
const quarterMs = 15 * 60 * 1000

/**
 * Makes links to outputs.
 * @returns a function that makes the link to the output `n` of a job, or to the file `variantKey`, which is another form of
 * it. It throws GenerationError `file_not_ready`, `file_not_found` or `store_unavailable`
 */
export function outputLinks(
  { files, clock }: { readonly files: FileStore; readonly clock: Clock },
  links: LinkSigner,
  { isKeyValid }: Pick<RouteOptions, 'isKeyValid'>,
): (job: Job, n: number, exchange: OwnedExchange, variantKey?: string) => Promise<string> {
  return async (job, n, { owner, keyId, baseUrl }, variantKey) => {
    const { url, ...output } = finishedOutput(job, n)
    const fileKey = variantKey ?? output.fileKey
    const now = clock.now()
    const latest = now + linkLifeMs
    // A job that is shown although its time is over is kept, because the clock is in doubt.
    const lastAt = job.expiresAt > now ? job.expiresAt : latest
    if (fileKey === undefined) return redirectTarget(url ?? '') ?? notRedirected(job)
    if (!files.link) {
      const expiresAt = Math.min(latest - (latest % quarterMs), lastAt)
      const link = {
        fileKey,
        expiresAt,
        name: outputName(job, n),
        owner: sha256(owner),
        keyId: isKeyValid && keyId,
      }
      return `${baseUrl}/v1/outputs/${await links.sign(link)}`
    }
    try {
      return new URL(await files.link(fileKey, Math.min(latest, lastAt))).href
    } catch (cause) {
      throw filesUnavailable(cause)
    }
  }
}

/** @throws GenerationError `file_not_ready` or `file_not_found` when the job has no such output, or not yet */
export function finishedOutput(job: Job, n: number): JobOutput {
  if (jobStatus(job) === 'processing') {
    throw new GenerationError('file_not_ready', 'The job is not finished, so its files are not ready yet.')
  }
  if (job.phase !== 'completed') throw fileNotFound('The job has failed, so it has no files.')
  return job.outputs[n] ?? noSuchOutput(job.outputs.length)
}

function noSuchOutput(count: number): never {
  throw fileNotFound(`n must be ${count === 1 ? '' : 'from 0 to '}${count - 1}.`, { param: 'n' })
}

/**
 * Refuses an output whose URL must not be shown to a client, for example because it contains a secret. The client can
 * only get a copy from the file store, and `dueAt` is set as long as the service still tries to make that copy.
 */
function notRedirected({ dueAt }: Job): never {
  if (dueAt === undefined) throw fileNotFound('The job has no such file.')
  throw new GenerationError(
    'file_not_ready',
    'The file is being copied to the file store. Try again in a moment.',
  )
}

function fileNotFound(message: string, details?: { readonly param: string }): GenerationError {
  return new GenerationError('file_not_found', message, details)
}
