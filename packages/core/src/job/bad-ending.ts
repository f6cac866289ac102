import type { Job } from '../contracts/job.ts'
import type { JobFailure } from '../errors/job-failures.ts'
import type { JobEvent } from './job-machine.ts'
import { shortText } from '../text/short-text.ts'

/**
 * Failures after which a job may have been paid for without being delivered, although nothing was wrong with the task.
 */
const bad: ReadonlySet<JobFailure> = new Set([
  'submit_ambiguous',
  'service_failed',
  'provider_lost',
  'output_invalid',
  'deadline_exceeded',
])

/** What to tell the operator about a job that has finished; `undefined` if there is nothing to tell. */
export function badEnding(job: Job, provider: string | undefined): string | undefined {
  const { error } = job
  if (job.phase !== 'failed' || !error || !bad.has(error.code)) return undefined
  return `${whose(job, provider)} failed as ${error.code}, ${paid(job)}: ${error.message}`
}

/** What to tell the operator when the outcome of a step could not be stored. Contains no content of outputs. */
export function unwritten(job: Job, event: JobEvent, provider: string | undefined): string {
  const told = 'handle' in event ? { ...job, handle: event.handle } : job
  const cost = 'costUsd' in event && event.costUsd !== undefined ? ` (cost $${event.costUsd})` : ''
  return `${whose(told, provider)}: the outcome of a step, ${event.type}${cost}, could not be written to the job store.`
}

/** Names the job, its owner, model and provider, and the handle by which its task can be found at the vendor. */
export function whose({ id, owner, model, handle }: Job, provider: string | undefined): string {
  const task = handle === undefined ? '' : `, task ${shortText(JSON.stringify(handle))}`
  const at = provider === undefined ? '' : `, provider ${provider}`
  return `Job ${id} (owner ${shortText(owner)}, model ${model}${at}${task})`
}

function paid({ costUsd, handle, error, startedAt }: Job): string {
  if (costUsd > 0) return `paid $${costUsd}`
  if (handle !== undefined) return 'probably paid'
  return startedAt === undefined && error?.code !== 'submit_ambiguous' ? 'not paid' : 'perhaps paid'
}
