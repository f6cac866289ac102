import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { movedJob } from '../job/instants.ts'
import { hasStepLeft, isFinished } from '../job/job-state.ts'
import type { Log } from '../contracts/log.ts'
import { onceAMinute } from '../pacing/once-a-minute.ts'

/**
 * If wall clock and uptime drift apart by at most this many milliseconds, the clock counts as unchanged: the two are
 * never read at the same instant, and time servers correct clocks in small steps.
 */
export const toleranceMs = 2000
const maxRemembered = 20
/**
 * For how long the clock must have run evenly while this process lived, in milliseconds, before anything is deleted by it. A
 * process that has just started knows no more about the clock than one that has seen it jump, but it hides at once what has
 * expired by its clock, see `readNow`.
 */
const beliefMs = 60 * 60_000

/** Notices when the wall clock of the machine is set, and corrects the instants in jobs. */
export interface ClockSteps {
  /**
   * Moves the job's deadline, due time, claim and other instants for internal use by as much as the clock has been set
   * since the job was written, so that as much time remains as before. Instants that the owner can see stay as they
   * are.
   */
  retimed(job: Job): Job
  /**
   * Reads both clocks. It must be called repeatedly: only a comparison of two readings shows how far the clock was set.
   * @returns whether the clock may have been put back since the last call. `true` for the first call
   */
  look(): boolean
  /**
   * The latest instant that has certainly come, by which jobs and uploads are deleted and keys freed: the present, once the
   * clock has run evenly for an hour. Before that, the time before the clock was set goes on, and in a process that has
   * just started the time is 0, at which only deleted jobs have expired.
   */
  sureNow(): number
  /**
   * The instant by which owners see finished jobs as expired: the present, unless this process has seen the clock being
   * set within the last hour; then `sureNow()`. A mistake ends when the clock is right again, because nothing is deleted.
   */
  readNow(): number
  /**
   * How many milliseconds have passed since an instant at which this process lived, although the clock may have been set
   * meanwhile. `undefined` for an earlier instant: it may be that of a clock that was set since.
   */
  elapsedSince(at: number): number | undefined
  /** The instant at which the present clock is believed, if it runs evenly until then. `undefined` when it is believed. */
  believedAt(): number | undefined
}

/** A span of time in which the clock was not set. Instants are those of the wall clock. */
interface Span {
  readonly from: number
  /** Absent for the present span. */
  readonly until?: number
  /** `now()` minus `uptime()`, in milliseconds. */
  readonly offset: number
}

/**
 * Watches the clock of one service: the one place that judges it.
 * @param onStep called when the clock was set, with by how many milliseconds. @default nobody is told
 */
export function clockSteps(clock: Clock, onStep: (byMs: number) => void = () => {}): ClockSteps {
  const past: Span[] = []
  let present: Span | undefined
  let lookedOffset = Number.POSITIVE_INFINITY
  /** The offset of the clock by which a job was corrected. It is not to be corrected for the same step again. */
  const retimedAt = new WeakMap<Job, number>()

  /**
   * Ends the present span if the clock was set. The offset of the span follows small differences; otherwise a clock
   * that is corrected in many small steps would look as if it had been set.
   */
  function presentSpan(now = clock.now()): Span {
    const offset = now - clock.uptime()
    const byMs = present ? offset - present.offset : 0
    if (present && Math.abs(byMs) > toleranceMs) {
      past.push({ ...present, until: clock.uptime() + present.offset })
      if (past.length > maxRemembered) past.shift()
      present = undefined
      onStep(byMs)
    }
    present = { from: present?.from ?? now, offset }
    return present
  }

  /** The span in which the clock showed an instant. */
  function spanAt(at: number, now: number, latest: Span): Span | undefined {
    if (at >= latest.from && at <= now + toleranceMs) return latest
    return past.findLast((one) => at >= one.from && at <= (one.until ?? 0) + toleranceMs)
  }

  function sureNow(): number {
    const now = clock.now()
    const { from } = presentSpan(now)
    if (now - from >= beliefMs) return now
    const believed = past.findLast((one) => (one.until ?? 0) - one.from >= beliefMs)
    return believed ? Math.min(now, clock.uptime() + believed.offset) : 0
  }

  /**
   * A job that was written by a clock which this process has not read, because it had not started yet or was frozen, or
   * because the other process did not see that the clock was set. The time since then does not count: it may be that of the
   * clock. So the job has as much time as was left then, from the moment at which this process read the present clock first.
   * Only a job that nobody can have paid for is late in a process that has seen no clock being set.
   */
  function inherited(job: Job, writtenAt: number, { from }: Span): Job {
    const awayMs = from - writtenAt
    // A job from the future was written before the clock was put back.
    if (awayMs < 0) return movedJob(job, awayMs)
    const { deadlineAt, checkedAt, unknown, phase } = job
    if (isFinished(job) || (phase === 'accepted' && past.length === 0)) return job
    return {
      ...job,
      deadlineAt: Math.max(deadlineAt, writtenAt) + awayMs,
      ...(checkedAt !== undefined && { checkedAt: checkedAt + awayMs }),
      ...(unknown && { unknown: { ...unknown, since: unknown.since + awayMs } }),
    }
  }

  return {
    look() {
      const last = lookedOffset
      lookedOffset = presentSpan().offset
      return lookedOffset < last - toleranceMs
    },
    sureNow,
    readNow() {
      const now = clock.now()
      presentSpan(now)
      return past.length === 0 ? now : sureNow()
    },
    elapsedSince(at) {
      const now = clock.now()
      const latest = presentSpan(now)
      const span = spanAt(at, now, latest)
      return span && Math.max(0, now - at - (latest.offset - span.offset))
    },
    believedAt() {
      const now = clock.now()
      const at = presentSpan(now).from + beliefMs
      return now < at ? at : undefined
    },
    retimed(job) {
      const { updatedAt } = job
      if (updatedAt === undefined || !hasStepLeft(job)) return job
      const now = clock.now()
      const span = presentSpan(now)
      const writtenOffset = retimedAt.get(job) ?? spanAt(updatedAt, now, span)?.offset
      const setMs = span.offset - (writtenOffset ?? span.offset)
      const moved = Math.abs(setMs) > toleranceMs ? movedJob(job, setMs) : job
      const retimed = writtenOffset === undefined ? inherited(job, updatedAt, span) : moved
      retimedAt.set(retimed, span.offset)
      return retimed
    },
  }
}

/** Makes the function that tells the operator when the clock was set, at most once a minute for each direction. */
export function clockTeller(log: Log, clock: Clock): (byMs: number) => void {
  const occurrence = onceAMinute(clock)
  return (byMs) => {
    const direction = byMs > 0 ? 'ahead' : 'back'
    if (!occurrence(direction)) return
    log.error(
      `The clock was set ${direction} by ${inWords(Math.abs(byMs))}. No job, file or upload expires before it has run evenly for ${inWords(beliefMs)}; if it is wrong, set it right before then.`,
    )
  }
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes === 0) return `${Math.round(ms / 1000)} s`
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  const parts = [
    [days, 'd'],
    [hours, 'h'],
    [minutes % 60, 'min'],
  ] as const
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ')
}
