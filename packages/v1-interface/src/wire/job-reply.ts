import { isFinished, type Job } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'

/** After how many seconds a client should poll an unfinished job again. */
const pollAfterSeconds = '3'

/**
 * The JSON text of finished jobs. Clients read them repeatedly, so each text is made once. The map is keyed by the job
 * object and not by the id, because a job that failed as `submit_ambiguous` may still continue: then it is another
 * object with a later revision.
 */
const texts = new WeakMap<Job, { readonly baseUrl: string; readonly text: string }>()

/** The reply with a job as its body. */
export function jobReply(
  job: Job,
  status: number,
  baseUrl: string,
  headers: Record<string, string> = {},
): V1Reply {
  headers['content-type'] = 'application/json'
  if (jobStatus(job) === 'processing') headers['retry-after'] = pollAfterSeconds
  return { status, headers, body: jobText(job, baseUrl) }
}

/**
 * The job object of the interface as JSON.
 * @param baseUrl the public URL at which the interface is mounted, without a slash at its end
 */
export function jobText(job: Job, baseUrl: string): string {
  const remembered = texts.get(job)
  if (remembered?.baseUrl === baseUrl) return remembered.text
  const text = JSON.stringify(jobObject(job, baseUrl))
  if (isFinished(job)) texts.set(job, { baseUrl, text })
  return text
}

/**
 * The job object of the interface: exactly these fields, in this order. Beyond the base interface, a job that has metadata
 * has it as a last field.
 */
export function jobObject(job: Job, baseUrl: string) {
  const status = jobStatus(job)
  // While the outputs are being stored, these figures are already in the job, but clients see them only when the job
  // has finished.
  const [costUsd, inferenceMs] = status === 'processing' ? [0, 0] : [job.costUsd, job.inferenceMs]
  return {
    id: job.id,
    object: 'generation',
    model: job.model,
    output_kind: job.outputKind,
    status,
    created_at: timestamp(job.createdAt),
    started_at: job.startedAt === undefined ? null : timestamp(job.startedAt),
    completed_at: job.completedAt === undefined ? null : timestamp(job.completedAt),
    expires_at: expiry(job.expiresAt),
    retention_days: job.retentionDays,
    error: job.error ? `${job.error.code}: ${job.error.message}` : null,
    cost_usd: costUsd,
    input: job.shownInput,
    timings: { inference_ms: inferenceMs },
    urls: { get: jobUrl(job, baseUrl) },
    data: job.phase === 'completed' ? job.outputs.map((_, n) => ({ url: fileUrl(job, n, baseUrl) })) : [],
    ...(job.metadata && { metadata: job.metadata }),
  }
}

export function jobStatus({ phase }: Job): 'processing' | 'completed' | 'failed' {
  return phase === 'completed' || phase === 'failed' ? phase : 'processing'
}

export function jobUrl(job: Job, baseUrl: string): string {
  return `${baseUrl}/v1/jobs/${job.id}`
}

function fileUrl(job: Job, n: number, baseUrl: string): string {
  return `${baseUrl}/v1/files/${job.id}${n === 0 ? '' : `?n=${n}`}`
}

/**
 * Most jobs start in the millisecond in which they are created, often the same millisecond as another job, so the same
 * instant is often formatted several times in a row.
 */
const timestamp = rememberedText()
const expiry = rememberedText()

/** Makes a function that writes an instant as ISO 8601, and remembers its last text. */
function rememberedText(): (at: number) => string {
  let last = { at: 0, text: new Date(0).toISOString() }
  return (at) => {
    if (at !== last.at) last = { at, text: new Date(at).toISOString() }
    return last.text
  }
}
