import type { Job } from '@genmount/core'

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
