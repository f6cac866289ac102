import type { Job } from '@genmount/core'

/**
 * The job object of the interface: exactly these fields, in this order. Beyond the base interface, a job that has metadata
 * has it as a last field.
 */
export function jobObject(job: Job, baseUrl: string) {
  return {
    id: job.id,
    object: 'generation',
    model: job.model,
    output_kind: job.outputKind,
    status: jobStatus(job),
    created_at: timestamp(job.createdAt),
    started_at: job.startedAt === undefined ? null : timestamp(job.startedAt),
    completed_at: job.completedAt === undefined ? null : timestamp(job.completedAt),
    expires_at: timestamp(job.expiresAt),
    retention_days: job.retentionDays,
    error: job.error ? `${job.error.code}: ${job.error.message}` : null,
    cost_usd: job.costUsd,
    input: job.input,
    timings: { inference_ms: job.inferenceMs },
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

let last = { at: 0, text: new Date(0).toISOString() }

/** Remembers its last text: most jobs are created and started in the same millisecond, often that of another job. */
function timestamp(at: number): string {
  if (at !== last.at) last = { at, text: new Date(at).toISOString() }
  return last.text
}
