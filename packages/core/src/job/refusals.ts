import type { Job } from '../contracts/job.ts'
import type { EventOf, EventType } from './job-event.ts'
import {
  awaitsAnswer,
  awaitsProvider,
  hasCopyLeft,
  isClaimed,
  isDeliveryDue,
  isFinished,
  mayStep,
} from './job-state.ts'

/** Why an event does not apply to a job. */
export type Refusal =
  'finished' | 'not_due' | 'already_claimed' | 'already_asked' | 'not_claimed' | 'wrong_phase' | 'no_outputs'

/** Refusals for other reasons than the phase. The first whose condition holds is the answer. */
export type Unless<Type extends EventType> = Readonly<
  Partial<Record<Refusal, (job: Job, now: number, event: EventOf<Type>) => boolean>>
>

const isUnclaimed = ({ claimedUntil }: Job) => claimedUntil === undefined

/** The step may not begin now. */
export const noStep: Unless<'claim'> = {
  finished: (job) => isFinished(job) && (isGone(job) || !hasCopyLeft(job)),
  already_claimed: isClaimed,
  not_due: (job, now) => !mayStep(job, now),
}

function isGone({ deletedAt, expiresAt }: Job): boolean {
  return deletedAt !== undefined || expiresAt === 0
}

/** No process has claimed the step that has ended or goes on. */
export const unclaimed = {
  finished: (job: Job) => isFinished(job) && !hasCopyLeft(job),
  not_claimed: isUnclaimed,
}

/** No process has claimed the step, or it has brought no output. */
export const noOutput: Unless<'succeeded' | 'collected'> = {
  not_claimed: isUnclaimed,
  no_outputs: (_job, _now, { outputs }) => outputs.length === 0,
}

/** The outcome of the job's submit is known. */
export const answered = { finished: (job: Job) => !awaitsAnswer(job) }

/** The job has not failed for want of its provider, or no process has claimed it. */
export const notAwaited = { finished: (job: Job) => !awaitsProvider(job), not_claimed: isUnclaimed }

/** Nobody can use the callback, or it says nothing new. */
export const noNews: Unless<'hinted'> = {
  wrong_phase: (job, now) => job.phase === 'submitting' && !isClaimed(job, now),
  already_asked: ({ isHinted, dueAt, reported }, now, { pollAt, report }) =>
    isHinted === true && (dueAt ?? now) <= pollAt && (report === undefined || reported !== undefined),
}

/** The owner has asked before. */
export const asked: Unless<'cancelAsked'> = {
  already_asked: ({ cancelAskedAt }) => cancelAskedAt !== undefined,
}

/**
 * A process may have submitted the job. Another process may have claimed it since, to look for its task, so the token of
 * the latest claim does not tell.
 */
export const submitted: Unless<'withdrawn'> = {
  wrong_phase: ({ phase, submitToken }, _now, { unusedClaim }) =>
    phase === 'submitting' && (submitToken === undefined || submitToken !== unusedClaim),
}

/** No delivery may be tried now. */
export const notOwed = { not_due: (job: Job, now: number) => !isDeliveryDue(job, now) }

/** The try under way is not the one of the event. */
export const notOwn: Unless<'delivered' | 'undelivered'> = {
  not_claimed: ({ webhook }, _now, { token }) => webhook?.dueAt === undefined || webhook.token !== token,
}
