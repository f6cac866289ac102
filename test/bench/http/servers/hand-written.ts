import { hash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import * as v from 'valibot'
import { apiKey, readableBody } from '../../workload.ts'
import { jobCount } from './serve.ts'

/** What each hand-written server does with a request. It does not depend on an HTTP library. */

export interface StoredJob {
  readonly id: string
  readonly owner: string
  readonly model: string
  readonly status: 'processing' | 'completed' | 'failed'
  readonly createdAt: number
  readonly startedAt?: number
  readonly completedAt?: number
  readonly expiresAt: number
  readonly retentionDays: number
  readonly error?: string
  readonly costUsd: number
  readonly input: object
  readonly inferenceMs: number
  readonly outputs: readonly { readonly url: string }[]
  /** By which the provider finds the task. Absent before the provider has taken the task on. */
  readonly handle?: string
}

export const jobs = new Map<string, StoredJob>()

const knownKeys = [{ owner: 'alice', digest: digestOf(apiKey) }]
const maxCreated = 40_000
const retentionDays = 7
const created: string[] = []
let oldest = 0

const CreateBody = v.strictObject({
  model: v.string(),
  prompt: v.pipe(v.string(), v.minLength(1), v.maxLength(2000)),
  resolution: v.picklist(['480p', '720p', '1080p']),
  aspect_ratio: v.picklist(['16:9', '9:16', '1:1']),
  duration: v.pipe(v.number(), v.minValue(1), v.maxValue(60)),
})

export const readableIds = Array.from({ length: jobCount }, () => {
  const { id, ...accepted } = newJob(readableBody)
  const { createdAt } = accepted
  jobs.set(id, {
    ...accepted,
    id,
    status: 'completed',
    startedAt: createdAt + 12,
    completedAt: createdAt + 8_012,
    costUsd: 0.35,
    inferenceMs: 8_000,
    outputs: [{ url: `https://cdn.example.com/${id}.mp4` }],
  })
  return id
})

/** The owner whom the Authorization header stands for. */
export function ownerOf(authorization: string | undefined): string | undefined {
  if (!authorization?.startsWith('Bearer ')) return undefined
  const digest = digestOf(authorization.slice('Bearer '.length))
  return knownKeys.find((known) => timingSafeEqual(known.digest, digest))?.owner
}

/**
 * Stores a job for a valid body. Deletes the oldest jobs, as the memory backend does. @returns `undefined`
 * for an invalid body
 */
export function createJob(body: unknown): StoredJob | undefined {
  const parsed = v.safeParse(CreateBody, body)
  if (!parsed.success) return undefined
  const job = newJob(parsed.output)
  jobs.set(job.id, job)
  if (created.length < maxCreated) created.push(job.id)
  else {
    jobs.delete(created[oldest]!)
    created[oldest] = job.id
    oldest = (oldest + 1) % maxCreated
  }
  return job
}

export function jobObject(job: StoredJob, baseUrl: string) {
  return {
    id: job.id,
    object: 'generation',
    model: job.model,
    output_kind: 'video',
    status: job.status,
    created_at: new Date(job.createdAt).toISOString(),
    started_at: job.startedAt === undefined ? null : new Date(job.startedAt).toISOString(),
    completed_at: job.completedAt === undefined ? null : new Date(job.completedAt).toISOString(),
    expires_at: new Date(job.expiresAt).toISOString(),
    retention_days: job.retentionDays,
    error: job.error ?? null,
    cost_usd: job.costUsd,
    input: job.input,
    timings: { inference_ms: job.inferenceMs },
    urls: { get: `${baseUrl}/v1/jobs/${job.id}` },
    data: job.outputs.map((_, n) => ({ url: `${baseUrl}/v1/files/${job.id}${n === 0 ? '' : `?n=${n}`}` })),
  }
}

/** What a server answers, in any framework. */
export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly value: object
}

export function refusal(status: number, code: string, more?: Readonly<Record<string, string>>): Answer {
  const headers = { ...usualHeaders(), ...(status === 401 && { 'www-authenticate': 'Bearer' }), ...more }
  const error = { message: 'No.', type: 'invalid_request_error', param: null, code }
  return { status, headers, value: { error: { ...error, request_id: headers['x-request-id'] } } }
}

/** The answer to a read of a job by its owner. */
export function jobAnswer(id: string | undefined, owner: string, host: string | undefined): Answer {
  const job = jobs.get(id ?? '')
  if (job?.owner !== owner || job.expiresAt <= Date.now()) return refusal(404, 'job_not_found')
  return { status: 200, headers: usualHeaders(), value: jobObject(job, `http://${host}`) }
}

/** The answer to a create, which `create` stores. */
export function createAnswer(body: unknown, host: string | undefined, create = createJob): Answer {
  const job = create(body)
  if (!job) return refusal(400, 'invalid_request')
  const baseUrl = `http://${host}`
  const headers = { ...usualHeaders(), location: `${baseUrl}/v1/jobs/${job.id}`, 'retry-after': '3' }
  return { status: 202, headers, value: jobObject(job, baseUrl) }
}

export function usualHeaders(): Record<'x-request-id' | 'cache-control', string> {
  return { 'x-request-id': `req_${randomUUID()}`, 'cache-control': 'no-store' }
}

/** Sends an answer on bare node:http. */
export function send(response: ServerResponse, { status, headers, value }: Answer): void {
  const body = JSON.stringify(value)
  headers['content-type'] = 'application/json'
  headers['content-length'] = String(Buffer.byteLength(body))
  response.writeHead(status, headers)
  response.end(body)
}

function newJob({ model, ...input }: { readonly model: string }): StoredJob {
  const createdAt = Date.now()
  return {
    id: `gen_${randomUUID().replaceAll('-', '')}`,
    owner: 'alice',
    model,
    status: 'processing',
    createdAt,
    expiresAt: createdAt + retentionDays * 86_400_000,
    retentionDays,
    costUsd: 0,
    input,
    inferenceMs: 0,
    outputs: [],
  }
}

/** The hash is taken as hexadecimal text, because on Node that costs a third of what a Buffer costs. */
function digestOf(key: string): Buffer {
  return Buffer.from(hash('sha256', key, 'hex'))
}
