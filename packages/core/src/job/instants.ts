import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { malformedJob } from '../errors/malformed-job.ts'

type InstantName = Extract<keyof Job, `${string}At` | `${string}Until`>

/** Every instant among the fields of a job. One that is missing here does not compile. */
const names = Object.keys({
  createdAt: true,
  expiresAt: true,
  deadlineAt: true,
  startedAt: true,
  completedAt: true,
  cancelAskedAt: true,
  updatedAt: true,
  deletedAt: true,
  deleteAt: true,
  checkedAt: true,
  dueAt: true,
  earliestAt: true,
  claimedUntil: true,
} satisfies Record<InstantName, true>) as InstantName[]

/**
 * The clock in whole milliseconds. `performance.now()` has fractions, and so has all that is computed from it.
 */
export function wholeClock(clock: Clock): Clock {
  return {
    now: () => Math.round(clock.now()),
    uptime: () => Math.floor(clock.uptime()),
    after: (delayMs, run) => clock.after(delayMs, run),
  }
}

/** The job with all its instants in whole milliseconds. */
export function wholeInstants(job: Job): Job {
  if (oddInstant(job) === undefined) return job
  const { webhook, unknown, setback } = job
  const stated = names.flatMap((name) => (job[name] === undefined ? [] : [[name, Math.round(job[name])]]))
  const { dueAt, attempts } = webhook ?? {}
  return {
    ...job,
    ...Object.fromEntries(stated),
    ...(webhook && {
      webhook: {
        ...webhook,
        ...(dueAt !== undefined && { dueAt: Math.round(dueAt) }),
        ...(attempts && { attempts: attempts.map((tried) => ({ ...tried, at: Math.round(tried.at) })) }),
      },
    }),
    ...(unknown && { unknown: { ...unknown, since: Math.round(unknown.since) } }),
    ...(setback && { setback: { ...setback, at: Math.round(setback.at) } }),
  }
}

/**
 * Checks the instants of a job before a store keeps it.
 * @throws GenerationError `internal_error` when one of them is no safe integer. Such an instant was computed wrongly, and
 *   not every database could keep it
 */
export function checkInstants(job: Job): void {
  const odd = oddInstant(job)
  if (odd !== undefined) throw malformedJob(job.id, `its ${odd} is not a whole number of milliseconds`)
}

/** @returns the first instant of the job that is no safe integer, with its value */
function oddInstant(job: Job): string | undefined {
  for (const name of names) if (isOdd(job[name])) return `${name} (${job[name]})`
  const { webhook, unknown, setback } = job
  if (isOdd(webhook?.dueAt)) return `webhook.dueAt (${webhook?.dueAt})`
  if (isOdd(unknown?.since)) return `unknown.since (${unknown?.since})`
  if (isOdd(setback?.at)) return `setback.at (${setback?.at})`
  const tried = webhook?.attempts?.find(({ at }) => isOdd(at))
  return tried && `webhook.attempts (${tried.at})`
}

function isOdd(at: number | undefined): boolean {
  return at !== undefined && !Number.isSafeInteger(at)
}
