import assert from 'node:assert/strict'
import type { Reply } from './reply.ts'
import { shortLived } from './suite-jobs.ts'

/** The job object of the interface. */
export interface WireJob {
  readonly id: string
  readonly object: string
  readonly model: string
  readonly output_kind: string
  readonly status: string
  readonly created_at: string
  readonly started_at: string | null
  readonly completed_at: string | null
  readonly expires_at: string
  readonly retention_days: number
  readonly error: string | null
  readonly cost_usd: number
  readonly input: Readonly<Record<string, unknown>>
  readonly timings: { readonly inference_ms: number }
  readonly urls: { readonly get: string }
  readonly data: readonly { readonly url: string }[]
}

export const jobFields = [
  'id',
  'object',
  'model',
  'output_kind',
  'status',
  'created_at',
  'started_at',
  'completed_at',
  'expires_at',
  'retention_days',
  'error',
  'cost_usd',
  'input',
  'timings',
  'urls',
  'data',
] as const

const dayMs = 24 * 60 * 60 * 1000

export function isFinished(job: WireJob): boolean {
  return job.status === 'completed' || job.status === 'failed'
}

/** Returns the job in a reply. Fails if the job breaks a rule of the interface that holds for all jobs. */
export function expectJob(reply: Reply, status: number, service: { url(path: string): string }): WireJob {
  assert.equal(reply.status, status, reply.head + reply.text)
  assert.match(reply.headers.get('content-type') ?? '', /^application\/json\b/)
  const job = JSON.parse(reply.text) as WireJob
  assert.deepEqual(Object.keys(job), jobFields)
  for (const field of ['id', 'model'] as const)
    assert(typeof job[field] === 'string' && job[field] !== '', field)
  assert.match(job.id, /^[\w-]{16,100}$/)
  assert.equal(job.object, 'generation')
  assert(['image', 'video'].includes(job.output_kind), job.output_kind)
  assert.equal(typeof job.retention_days, 'number')
  assert(typeof job.cost_usd === 'number' && job.cost_usd >= 0, 'cost_usd')
  assert(job.input !== null && typeof job.input === 'object' && !Array.isArray(job.input), 'input')
  assert(!('model' in job.input), 'input repeats model')
  assert.deepEqual(Object.keys(job.timings), ['inference_ms'])
  assert(Number.isInteger(job.timings.inference_ms) && job.timings.inference_ms >= 0, 'inference_ms')
  assert.deepEqual(job.urls, { get: service.url(`/v1/jobs/${job.id}`) })
  expectLifetime(job)
  if (job.status === 'processing') expectProcessing(job)
  else expectFinished(job, service)
  assert.equal(reply.headers.get('retry-after'), job.status === 'processing' ? '3' : undefined, 'retry-after')
  return job
}

function expectLifetime(job: WireJob): void {
  const created = expectInstant(job.created_at)
  assert(Number.isInteger(job.retention_days) && job.retention_days > 0)
  if (job.input['prompt'] !== shortLived.prompt)
    assert.equal(expectInstant(job.expires_at) - created, job.retention_days * dayMs, 'expires_at')
  if (job.started_at !== null)
    assert(expectInstant(job.started_at) >= created, 'started before it was created')
}

function expectProcessing(job: WireJob): void {
  assert.equal(job.completed_at, null)
  assert.equal(job.error, null)
  assert.equal(job.cost_usd, 0)
  assert.equal(job.timings.inference_ms, 0)
  assert.deepEqual(job.data, [])
}

function expectFinished(job: WireJob, service: { url(path: string): string }): void {
  assert(job.completed_at !== null, 'completed_at')
  assert(expectInstant(job.completed_at) >= expectInstant(job.started_at ?? job.created_at), 'completed_at')
  if (job.status === 'failed') {
    assert.match(
      job.error ?? '',
      /^(provider_(rejected|failed|lost)|content_policy|canceled|submit_ambiguous|deadline_exceeded|output_invalid|input_fetch_failed): \S/,
    )
    assert.deepEqual(job.data, [])
    return
  }
  assert.equal(job.status, 'completed')
  assert.equal(job.error, null)
  assert(job.started_at !== null, 'started_at')
  assert(job.data.length > 0, 'a completed job without output')
  const first = service.url(`/v1/files/${job.id}`)
  assert.deepEqual(
    job.data,
    job.data.map((_, index) => ({ url: index === 0 ? first : `${first}?n=${index}` })),
  )
}

/** Converts an ISO 8601 instant in UTC to milliseconds since the Unix epoch. Fails for any other text. */
function expectInstant(text: unknown): number {
  assert.match(String(text), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  return Date.parse(String(text))
}
