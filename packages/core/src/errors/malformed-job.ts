import { GenerationError } from './generation-error.ts'

/**
 * The error by which a job store refuses a job that it can't keep as it is. Unlike a fault of the store, the same write
 * would fail again.
 * @param why what is wrong with the job, for the log only
 */
export function malformedJob(id: string, why: string, cause?: unknown): GenerationError {
  const fault = new TypeError(`Job ${id} is malformed: ${why}.`, cause === undefined ? undefined : { cause })
  return new GenerationError('internal_error', 'The job store does not take the job.', { cause: fault })
}

/** Whether the error is one of {@link malformedJob}. */
export function isMalformedJob(fault: unknown): fault is GenerationError {
  return fault instanceof GenerationError && fault.code === 'internal_error'
}
