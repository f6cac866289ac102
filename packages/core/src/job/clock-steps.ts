import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { hasStepLeft } from './job-machine.ts'

/** Less than this is no step: two reads of two clocks are never at the same instant, and time servers slew. */
export const toleranceMs = 2000
const maxRemembered = 20

/** Notices when somebody sets the clock, and keeps the instants of jobs right. */
export interface ClockSteps {
  /**
   * The job with its deadline, due time and claim moved by as much as the clock has been set since it was written, so that
   * as much time remains as before. What its owner is shown stays as it is.
   */
  retimed(job: Job): Job
  /**
   * Looks at the clock. To be called now and then: how far the clock was set is the difference between two looks.
   * @returns whether it may have been put back since the last look, as before the first one
   */
  look(): boolean
}

/** A span in which the clock was not set. */
interface Span {
  readonly from: number
  /** Absent for the present one. */
  readonly until?: number
  /** `now()` minus `uptime()`, in milliseconds. */
  readonly offset: number
}

export function clockSteps(clock: Clock): ClockSteps {
  const past: Span[] = []
  let present: Span | undefined
  /** The offset that the clock had, at the least, when the jobs were written whose `updatedAt` lies ahead of it now. */
  let aheadOffset = Number.NEGATIVE_INFINITY
  let lookedOffset = Number.POSITIVE_INFINITY

  /** Small differences are taken over into the span: else a clock that is slewed would in the end look like one that was set. */
  function presentSpan(now = clock.now()): Span {
    const offset = now - clock.uptime()
    if (present && Math.abs(offset - present.offset) > toleranceMs) {
      past.push({ ...present, until: clock.uptime() + present.offset })
      if (past.length > maxRemembered) past.shift()
      present = undefined
    }
    return (present = { from: present?.from ?? now, offset })
  }

  /** How much the clock was set by since it showed `writtenAt`. */
  function shiftSince(writtenAt: number): number {
    const now = clock.now()
    const { from, offset } = presentSpan(now)
    if (writtenAt >= from && writtenAt <= now + toleranceMs) return 0
    const span = past.findLast((one) => writtenAt >= one.from && writtenAt <= (one.until ?? 0) + toleranceMs)
    if (span) return offset - span.offset
    if (writtenAt <= now) return 0
    // Written before the clock was put back, which this process has not seen. How far it was put back is not known: the
    // newest of such jobs is taken as written at the instant at which it was first seen here.
    aheadOffset = Math.max(aheadOffset, writtenAt - clock.uptime(), ...past.map((one) => one.offset))
    return offset - aheadOffset
  }

  return {
    look() {
      const last = lookedOffset
      lookedOffset = presentSpan().offset
      return lookedOffset < last - toleranceMs
    },
    retimed(job) {
      if (job.updatedAt === undefined || !hasStepLeft(job)) return job
      const shiftMs = shiftSince(job.updatedAt)
      return Math.abs(shiftMs) <= toleranceMs ? job : shifted(job, shiftMs)
    },
  }
}

function shifted(job: Job, byMs: number): Job {
  const { deadlineAt, dueAt, earliestAt, claimedUntil, checkedAt, unknown } = job
  return {
    ...job,
    deadlineAt: Math.min(job.expiresAt, deadlineAt + byMs),
    ...(dueAt !== undefined && { dueAt: dueAt + byMs }),
    ...(earliestAt !== undefined && { earliestAt: earliestAt + byMs }),
    ...(claimedUntil !== undefined && { claimedUntil: claimedUntil + byMs }),
    ...(checkedAt !== undefined && { checkedAt: checkedAt + byMs }),
    ...(unknown && { unknown: { ...unknown, since: unknown.since + byMs } }),
  }
}
