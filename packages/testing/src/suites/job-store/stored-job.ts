import assert from 'node:assert/strict'
import { isInputKept, type Job, type JobStore } from '@genmount/core'
import { exampleJob } from '../../jobs/example-job.ts'

export type JobStoreCases = Readonly<Record<string, (subject: { readonly store: JobStore }) => Promise<void>>>

/** The instant at which the jobs of the suite are created, in milliseconds since the Unix epoch. */
export const createdAt = Date.UTC(2026, 0, 1)

/** Inserts a job. Fails if the store does not accept it. */
export async function inserted(store: JobStore, overrides: Partial<Job> = {}): Promise<Job> {
  const job = exampleJob({ createdAt, ...overrides })
  assert.deepEqual(await store.insert(job), { outcome: 'inserted' })
  return job
}

/** Replaces a job by its next revision. Fails if the store does not accept it. */
export async function replaced(store: JobStore, job: Job, changes: Partial<Job>): Promise<Job> {
  const next = withItsTask({ ...job, ...changes, revision: job.revision + 1 })
  assert.equal(await store.replace(next, job.revision), 'replaced')
  return next
}

/** The job without a task that it no longer keeps. */
function withItsTask(job: Job): Job {
  if (isInputKept(job)) return job
  const { input: _task, ...rest } = job
  return rest
}

/**
 * Stores a finished job in two steps, as the service does: it inserts the job as accepted and then replaces
 * it.
 */
export async function finished(store: JobStore, overrides: Partial<Job> = {}): Promise<Job> {
  const phase = overrides.phase ?? 'completed'
  const job = await inserted(store, { ...overrides, phase: 'accepted' })
  const next = withItsTask(exampleJob({ createdAt, ...overrides, phase, revision: job.revision + 1 }))
  assert.equal(await store.replace(next, job.revision), 'replaced')
  return next
}

/** Fails if the store does not return exactly this job for its id. */
export async function assertStored(store: JobStore, job: Job): Promise<void> {
  assert.deepEqual(await store.get(job.id), job)
}
