import type { Job, JobOutput, JobState } from '../contracts/job.ts'

/**
 * Whether the job has completed or failed. A job that failed as `submit_ambiguous`, or for want of its provider, may
 * nevertheless continue later.
 */
export function isFinished(job: Pick<JobState, 'phase'>): boolean {
  return job.phase === 'completed' || job.phase === 'failed'
}

/** Whether a write has ended the job. @param before the job before the write. `undefined` for a new job */
export function hasJustEnded(job: Job, before: Job | undefined): boolean {
  return isFinished(job) && !(before && isFinished(before))
}

/** Whether a step is left for the job. */
export function hasStepLeft(job: Job): boolean {
  return job.dueAt !== undefined
}

/** Whether outputs of a finished job are to be copied, or its provider is awaited. */
export function hasCopyLeft({ dueAt, earliestAt, webhook }: Job): boolean {
  return dueAt !== undefined && (earliestAt !== undefined || webhook?.dueAt === undefined)
}

/** Whether the finished job owes a delivery that may be tried now. */
export function isDeliveryDue({ webhook }: Job, now: number): boolean {
  return webhook?.dueAt !== undefined && hasCome(webhook.dueAt, now)
}

/** Whether a process has a live claim on the job. */
export function isClaimed({ claim }: Job, now: number): boolean {
  return claim?.until !== undefined && !hasCome(claim.until, now)
}

/**
 * When the provider last reported on the task, in milliseconds since the Unix epoch. After a poll without news this is
 * the instant at which the poll began.
 */
export function heardAt({ claim, updatedAt, checkedAt }: Job): number | undefined {
  return claim?.isQuiet ? updatedAt : checkedAt
}

/** Whether a step may begin at once if a request asks for it, for example a client who reads the job. */
export function mayStep(job: Job, now: number): boolean {
  const isLeft = isFinished(job) ? hasCopyLeft(job) : hasStepLeft(job)
  return isLeft && !isClaimed(job, now) && (job.earliestAt === undefined || hasCome(job.earliestAt, now))
}

/** Whether a step is to begin now without any request. */
export function isDue(job: Job, now: number): boolean {
  return job.dueAt !== undefined && hasCome(job.dueAt, now) && !isClaimed(job, now)
}

/**
 * Whether the outcome of the job's submit is unknown, there was no submit yet, or the job failed because no process had
 * its provider.
 */
export function awaitsAnswer(job: JobState): boolean {
  const { phase, error } = job
  if (phase === 'accepted' || phase === 'submitting') return true
  return error?.code === 'submit_ambiguous' || awaitsProvider(job)
}

/** Whether the job failed because no process had its provider. It continues when a process has the provider again. */
export function awaitsProvider({ phase, earliestAt }: JobState): boolean {
  return phase === 'failed' && earliestAt !== undefined
}

/**
 * Whether the order of a job keeps its `input`: until the job has finished, and in a failed job that may continue. The write
 * that makes this false removes the input.
 */
export function isInputKept(job: JobState): boolean {
  return !isFinished(job) || awaitsAnswer(job)
}

/** Whether the order of a job keeps its `shownInput`: until its owner deletes the job. That write removes it. */
export function isShownInputKept({ deletedAt }: JobState): boolean {
  return deletedAt === undefined
}

/**
 * The outputs of an unfinished job that are stored: its running task has made them, and no poll gives them again. The outputs of
 * a task that has finished count only when the job completes.
 */
export function storedOutputs({ outputs }: Pick<JobState, 'outputs'>): readonly JobOutput[] {
  return outputs.filter(({ bytes }) => bytes !== undefined)
}

/**
 * The longest pause between two steps, and the longest claim, in milliseconds: one hour. An instant in a job that lies
 * further ahead was written before the clock was put back. Stores must treat such an instant as past, because the job
 * would otherwise wait until then.
 */
export const longestPauseMs = 60 * 60_000

function hasCome(at: number, now: number): boolean {
  return at <= now || at > now + longestPauseMs
}
