import { type DeliveryAttempt, instantText, isFinished, type Job, type JobWebhook } from '@genmount/core'

/** What can be done to a job, and what it waits for. */
export interface JobOutlook {
  /** A sentence that says what the job waits for, and until when. `undefined` when it waits for nothing. */
  readonly waitsFor: string | undefined
  /** Which acts the service would not refuse now. */
  readonly can: {
    readonly cancel: boolean
    readonly delete: boolean
    readonly retry: boolean
    readonly deliver: boolean
  }
}

/** A job as operators see it. */
export function operatorJob(job: Job, taskId: string | undefined, { waitsFor, can }: JobOutlook) {
  const { error, setback, webhook } = job
  return {
    object: 'operator_job',
    id: job.id,
    owner: job.owner,
    key: job.keyId ?? null,
    model: job.model,
    kind: job.outputKind,
    provider: job.provider ?? null,
    route: job.route ?? null,
    provider_model: job.providerModel ?? null,
    phase: job.phase,
    status: statusOf(job),
    created_at: instantText(job.createdAt),
    started_at: instantOrNull(job.startedAt),
    completed_at: instantOrNull(job.completedAt),
    updated_at: instantOrNull(job.updatedAt),
    due_at: instantOrNull(job.dueAt),
    deadline_at: instantText(job.deadlineAt),
    expires_at: instantText(job.expiresAt),
    attempts: job.attempts,
    waits_for: waitsFor ?? null,
    setback: setback ? { why: setback.why, at: instantText(setback.at) } : null,
    task_id: taskId ?? null,
    handle: job.handle ?? null,
    cost_usd: job.isCostKnown ? job.costUsd : null,
    reserved_usd: job.reservedUsd ?? null,
    error: error ? { code: error.code, message: error.message, detail: error.detail ?? null } : null,
    outputs: job.outputs.length,
    webhook: webhook ? webhookObject(webhook) : null,
    can,
  }
}

/** The status of a job, as clients see it. */
export function statusOf(job: Pick<Job, 'phase'>): 'processing' | Job['phase'] {
  return isFinished(job) ? job.phase : 'processing'
}

/** A webhook with its tries, the latest first. */
function webhookObject({ url, events, dueAt, failed = 0, attempts = [] }: JobWebhook) {
  return {
    url,
    events,
    next_attempt_at: instantOrNull(dueAt),
    failed,
    attempts: attempts.toReversed().map(deliveryObject),
  }
}

/** A try to deliver a webhook, as `GET /v1/jobs/{id}/deliveries` shows it. */
export function deliveryObject({
  event,
  at,
  status,
  error,
}: Omit<DeliveryAttempt, 'event'> & { readonly event: string }) {
  return {
    object: 'delivery',
    event,
    attempted_at: instantText(at),
    status: error === undefined ? 'delivered' : 'failed',
    response_status: status ?? null,
    error: error ?? null,
  }
}

function instantOrNull(at: number | undefined): string | null {
  return at === undefined ? null : instantText(at)
}
