import { filesUnavailable, GenerationError, redirectTarget, type Job, type JobOutput } from '@genmount/core'
import { sha256 } from '../access/sha256.ts'
import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'
import type { LinkSigner } from '../outputs/link-signer.ts'
import { jobStatus } from '../wire/job-reply.ts'
import { readOutputIndex } from '../wire/create-request.ts'

const linkLifeMs = 60 * 60 * 1000
/**
 * The service's own links end at full quarters of an hour, so that all requests within a quarter get the same link. A
 * browser has the file of that link in its cache.
 */
const quarterMs = 15 * 60 * 1000

/** GET /v1/files/{id}: redirects to the place where one output of a job is kept. */
export function getFile({ service, options }: RouteContext, links: LinkSigner): Answer<OwnedExchange> {
  const { files, clock } = service

  return async (exchange) => {
    const n = readOutputIndex(exchange)
    const job = await service.get(exchange.params['id'] ?? '', exchange.owner)
    const location = await locate(finishedOutput(job, n), job, n, exchange)
    return { status: 302, headers: { location } }
  }

  async function locate(
    { fileKey, url }: JobOutput,
    job: Job,
    n: number,
    { owner, keyId, baseUrl }: OwnedExchange,
  ): Promise<string> {
    const now = clock.now()
    const latest = now + linkLifeMs
    // A job that is shown although its time is over is kept, because the clock is in doubt.
    const lastAt = job.expiresAt > now ? job.expiresAt : latest
    if (fileKey === undefined) return redirectTarget(url ?? '') ?? notRedirected(job)
    if (!files.link) {
      const expiresAt = Math.min(latest - (latest % quarterMs), lastAt)
      const revocable = { owner: sha256(owner), keyId: options.isKeyValid && keyId }
      const link = { fileKey, expiresAt, name: `${job.id}-${n}`, ...revocable }
      return `${baseUrl}/v1/outputs/${await links.sign(link)}`
    }
    try {
      return new URL(await files.link(fileKey, Math.min(latest, lastAt))).href
    } catch (cause) {
      throw filesUnavailable(cause)
    }
  }
}

function finishedOutput(job: Job, n: number): JobOutput {
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
