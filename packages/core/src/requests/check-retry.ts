import type { Job } from '../contracts/job.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { isWhole } from '../input/shown-input.ts'
import { isFinished } from '../job/job-state.ts'
import { isShown, noSuchJob } from './shown-to.ts'

/**
 * Checks that a failed job may be made again: it must be certain that it has cost nothing, and its input must be whole.
 * @returns the job
 * @throws the errors documented at `GenerationService.retry`
 */
export function checkRetry(job: Job | undefined, now: number): Job {
  if (!job || !isShown(job, now)) throw noSuchJob()
  if (!isFinished(job))
    throw new GenerationError('job_processing', 'The job is still processing. Retry it once it has failed.')
  const why = whyNot(job)
  if (why !== undefined) throw new GenerationError('invalid_request', `The job can't be retried: ${why}.`)
  return job
}

function whyNot({ phase, error, isCostKnown, costUsd, shownInput }: Job): string | undefined {
  if (phase === 'completed') return 'it has completed'
  if (error?.code === 'canceled') return 'its owner has canceled it'
  if (costUsd > 0) return `it has cost ${costUsd} USD`
  if (!isCostKnown) return 'it is unknown whether it has cost anything'
  return isWhole(shownInput) ? undefined : 'its input had a data URI or a very long text, which was not kept'
}
