import type { Job } from '../contracts/job.ts'
import type { Model } from '../contracts/provider.ts'
import { expiryOf } from '../retention/retention.ts'

/** The options of the service by which a job's times are set, unless its model has its own. */
export interface LifeOptions {
  readonly retentionDays: number
  readonly deadlineMs: number
}

/** Until when a job that is created at this instant may run, and how long it is kept. */
export function lifeOf(
  model: Model,
  createdAt: number,
  options: LifeOptions,
): Pick<Job, 'retentionDays' | 'expiresAt' | 'deadlineAt'> {
  const retentionDays = model.retentionDays ?? options.retentionDays
  const expiresAt = expiryOf(createdAt, retentionDays)
  const deadlineAt = Math.min(createdAt + (model.deadlineMs ?? options.deadlineMs), expiresAt)
  return { retentionDays, expiresAt, deadlineAt }
}
