import type { Job } from '../contracts/job.ts'
import { claimedJob, freedJob, renewedJob, submittingJob } from './claimed-job.ts'
import { adoptedJob, resumedJob, retakenJob } from './continued-job.ts'
import { deletedJob, emptiedJob, isGone, undeletableJob } from './deleted-job.ts'
import { deliveringJob, owing, triedJob, wantsDelivery } from './delivered-job.ts'
import { collectedJob, copiedJob, failedJob, succeededJob, unsubmittedJob } from './ended-job.ts'
import { wholeInstants } from './instants.ts'
import { without } from './job-fields.ts'
import type { EventOf, EventType, JobEvent } from './job-event.ts'
import {
  awaitsAnswer,
  awaitsProvider,
  hasCopyLeft,
  isClaimed,
  isDeliveryDue,
  isFinished,
  isInputKept,
  isShownInputKept,
  mayStep,
} from './job-state.ts'
import {
  awaitingJob,
  cancelAskedJob,
  hintedJob,
  interruptedJob,
  postponedJob,
  refusedJob,
  runningJob,
  unknownJob,
} from './stepped-job.ts'

/** Why an event does not apply to a job. */
export type Refusal =
  | 'finished'
  | 'not_due'
  | 'already_claimed'
  | 'already_asked'
  | 'not_claimed'
  | 'wrong_phase'
  | 'no_outputs'

/**
 * The life of a job. Only `nextJob` changes jobs, in answer to an event, by the table below.
 *
 * ```
 *                  claim                  running
 *   accepted ---------------> submitting ---------> running --+  running, refused, postponed,
 *      ^                       |  ^ |                |    ^   |  unknown, interrupted, hinted
 *      |                       |  +-+ postponed,     |    +---+
 *      |                       |      unknown,       |
 *      |                       |      interrupted,   |
 *      +------- refused -------+      hinted         |
 *                              |                     |
 *                              +----- succeeded -----+---> completed, when the outputs are stored already
 *                                         |
 *                                         v    collected
 *                                     collecting ---------> completed
 *                                      |  ^
 *                                      +--+ postponed, unknown, interrupted
 *
 *   awaiting:     accepted stays, and no process claims it
 *   failed:       submitting, running and collecting -> failed
 *   cancelAsked:  accepted -> failed; submitting and running stay, the request is recorded, and refused -> failed
 *   adopted:      accepted, submitting and some failed -> running
 *   retaken:      accepted, submitting and some failed -> submitting
 *   resumed:      some failed -> submitting, running or collecting, where the job was
 * ```
 *
 * Every step begins with `claim`, which sets the instant until which no other process may begin a step. It ends with an
 * event that gives up the claim. Only a poll without news writes no event: its claim runs out by itself.
 * `accepted -> submitting` is stored before the provider is called, so the outcome of a submit is unknown if the job is
 * `submitting` without a live claim.
 *
 * `completed` and `failed` are final, with two exceptions. A job that failed as `submit_ambiguous` may have been paid
 * for, and goes on when a callback of its provider (`adopted`) or the late answer to its submit (`retaken`) arrives. A job
 * that failed because no process had its provider goes on when a process has it again (`resumed`); until then, a process
 * looks from time to time (`copied`).
 *
 * A callback is written to the job even while a process holds a claim. This process sees that its own write is stale,
 * and applies its event to the job with the callback. If `hinted` comes during the submit, the first poll comes sooner.
 *
 * A running task may have made outputs that no poll gives again. They come with `running`, and are stored before. A further
 * submit of a running task is written before it is made, as `renew` with its handle.
 *
 * A job whose owner has asked to cancel it (`cancelAskedAt`) never becomes `accepted` again, so no new submit begins.
 * If its submit turns out to have been taken on, the next step cancels the task at the provider.
 *
 * While outputs of a completed job are to be copied, the job has steps left. Such a step ends with `copied`, which
 * changes only outputs. No step begins once the job has expired, because its row may be deleted at any moment.
 *
 * A job with a webhook owes a delivery from the write that ends the job. `delivering`, `delivered` and `undelivered`
 * are independent of claims: outputs may be copied at the same time. `owed` makes the job owe it once more, unless a try
 * is under way.
 *
 * @returns the job with its next revision, or why the event does not apply
 */
export function nextJob(job: Job, event: JobEvent, now: number): Job | Refusal {
  return jobAfter(job, event, now)
}

function jobAfter<Type extends EventType>(job: Job, event: EventOf<Type>, now: number): Job | Refusal {
  const row = table[event.type as Type]
  const change = row[columnOf[job.phase]]
  if (!change) return isFinished(job) ? 'finished' : 'wrong_phase'
  const unless = row[5] ?? {}
  for (const refusal in unless) if (unless[refusal as Refusal]?.(job, now, event)) return refusal as Refusal
  return wholeInstants(trimmed(change(revised(job, event, now), now, event)))
}

/** The job without the parts of its order that no longer belong to it. */
function trimmed(job: Job): Job {
  const open = isInputKept(job) ? job : without(job, 'input')
  return isShownInputKept(job) ? open : { ...open, shownInput: {} }
}

/** The job with its next revision, and with what every event of its kind leaves behind. */
function revised(job: Job, event: JobEvent, now: number): Job {
  const why = 'why' in event ? event.why : undefined
  const report = 'report' in event ? event.report : undefined
  return {
    ...job,
    revision: job.revision + 1,
    updatedAt: now,
    ...(why !== undefined && { setback: { why, at: now } }),
    ...(report && !job.reported && { reported: report }),
  }
}

/** Makes the job after an event. The job that it gets has the next revision already. */
type Change<Type extends EventType> = (job: Job, now: number, event: EventOf<Type>) => Job

/** Refusals for other reasons than the phase. The first whose condition holds is the answer. */
type Unless<Type extends EventType> = Readonly<
  Partial<Record<Refusal, (job: Job, now: number, event: EventOf<Type>) => boolean>>
>

/** For each column of the table the change, or `no` when the event does not apply; then the other refusals. */
type Row<Type extends EventType> = readonly [
  accepted: Change<Type> | undefined,
  submitting: Change<Type> | undefined,
  running: Change<Type> | undefined,
  collecting: Change<Type> | undefined,
  finished: Change<Type> | undefined,
  unless?: Unless<Type>,
]

const columnOf = { accepted: 0, submitting: 1, running: 2, collecting: 3, completed: 4, failed: 4 } as const

const isUnclaimed = ({ claim }: Job) => claim?.until === undefined
const isOver = (job: Job) => isFinished(job) && !hasCopyLeft(job)
const noStep: Unless<'claim'> = {
  finished: (job) => isOver(job) || (isFinished(job) && isGone(job)),
  already_claimed: isClaimed,
  not_due: (job, now) => !mayStep(job, now),
}
const unclaimed = { finished: isOver, not_claimed: isUnclaimed }
const noOutput: Unless<'succeeded' | 'collected'> = {
  not_claimed: isUnclaimed,
  no_outputs: (_job, _now, { outputs }) => outputs.length === 0,
}
const answered = { finished: (job: Job) => !awaitsAnswer(job) }
const notAwaited = { finished: (job: Job) => !awaitsProvider(job), not_claimed: isUnclaimed }
const noNews: Unless<'hinted'> = {
  wrong_phase: (job, now) => job.phase === 'submitting' && !isClaimed(job, now),
  already_asked: ({ isHinted, dueAt, reported }, now, { pollAt, report }) =>
    isHinted === true && (dueAt ?? now) <= pollAt && (report === undefined || reported !== undefined),
}
const onceOnly: Unless<'cancelAsked'> = { already_asked: ({ cancelAskedAt }) => cancelAskedAt !== undefined }
const notOwed = { not_due: (job: Job, now: number) => !isDeliveryDue(job, now) }
const notAgain: Unless<'owed'> = {
  finished: (job) => !wantsDelivery(job),
  already_claimed: (job, now) => job.webhook?.token !== undefined && !isDeliveryDue(job, now),
}
const notOwn: Unless<'delivered' | 'undelivered'> = {
  not_claimed: ({ webhook }, _now, { token }) => webhook?.dueAt === undefined || webhook.token !== token,
}

const no = undefined

/**
 * What each event makes of a job in each phase, a line for each event. Where it says `no`, the event is refused:
 * `finished` after the end of the job, `wrong_phase` before.
 */
// prettier-ignore
const table: { readonly [Type in EventType]: Row<Type> } = {
  //              accepted        submitting       running          collecting       finished         unless
  claim:         [submittingJob,  claimedJob,      claimedJob,      claimedJob,      claimedJob,      noStep],
  renew:         [no,             renewedJob,      renewedJob,      renewedJob,      renewedJob,      unclaimed],
  freed:         [no,             freedJob,        freedJob,        freedJob,        freedJob,        unclaimed],
  running:       [no,             runningJob,      runningJob,      no,              no,              unclaimed],
  awaiting:      [awaitingJob,    no,              no,              no,              no],
  refused:       [no,             refusedJob,      postponedJob,    no,              no,              unclaimed],
  unknown:       [no,             unknownJob,      unknownJob,      unknownJob,      no,              unclaimed],
  postponed:     [no,             postponedJob,    postponedJob,    postponedJob,    no,              unclaimed],
  interrupted:   [no,             interruptedJob,  interruptedJob,  interruptedJob,  interruptedJob,  unclaimed],
  succeeded:     [no,             succeededJob,    succeededJob,    no,              no,              noOutput],
  collected:     [no,             no,              no,              collectedJob,    no,              noOutput],
  failed:        [no,             failedJob,       failedJob,       failedJob,       no,              unclaimed],
  retaken:       [retakenJob,     retakenJob,      no,              no,              retakenJob,      answered],
  adopted:       [adoptedJob,     adoptedJob,      no,              no,              adoptedJob,      answered],
  resumed:       [no,             no,              no,              no,              resumedJob,      notAwaited],
  hinted:        [no,             hintedJob,       hintedJob,       no,              no,              noNews],
  cancelAsked:   [unsubmittedJob, cancelAskedJob,  cancelAskedJob,  no,              no,              onceOnly],
  copied:        [no,             no,              no,              no,              copiedJob,       unclaimed],
  owed:          [no,             no,              no,              no,              owing,           notAgain],
  delivering:    [no,             no,              no,              no,              deliveringJob,   notOwed],
  delivered:     [no,             no,              no,              no,              triedJob,        notOwn],
  undelivered:   [no,             no,              no,              no,              triedJob,        notOwn],
  deleted:       [no,             no,              no,              no,              deletedJob],
  emptied:       [no,             no,              no,              no,              emptiedJob],
  undeletable:   [no,             no,              no,              no,              undeletableJob],
}
