import type { Processes } from '../contracts/storage/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Gate } from '../routing/gate.ts'
import type { Route, Routes } from '../routing/routes.ts'
import { awaitsProvider, hasCopyLeft, hasStepLeft, isFinished, mayStep } from '../job/job-state.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { isExpired } from '../job/deleted-job.ts'
import { hasClaimedAhead, isClaimedAhead } from '../claims/claim-ahead.ts'
import { leftToOthersUntil } from './left-to-others.ts'
import { suspicion } from './suspicion.ts'

/**
 * If this process does not serve a job's model or route, it reads the job again after this many milliseconds: another
 * process may serve it.
 */
const foreignJobMs = 60_000
/** For how long after its deadline such a job is left to a process that serves it, in milliseconds. */
const foreignGraceMs = 2 * foreignJobMs
/**
 * While this process holds too many bytes of outputs to submit new jobs, it reads a new job again after this many
 * milliseconds.
 */
const fullPauseMs = 1000
const maxCopiesAtATime = 8
/** After this many milliseconds, a copying step loses its place to a waiting one. */
const longestCopyMs = 20 * 60_000

/** What to do for a job now. */
export type Turn =
  /** Nothing. */
  | { readonly kind: 'none' }
  /** Nothing before the instant `until`. `isForsaken`: no process with the job's model or provider has taken it up. */
  | { readonly kind: 'wait'; readonly until: number; readonly isForsaken?: boolean }
  /** A step by `route`, after the job has passed the lanes and then the gate. */
  | {
      readonly kind: 'step'
      readonly lanes: readonly Lane[]
      readonly route?: Route | undefined
      readonly gate?: Gate | undefined
    }

/** What {@link turns} works with. */
export interface TurnContext {
  readonly clock: Clock
  /** See `ClockSteps.sureNow`. */
  readonly sureNow: () => number
  /** Absent when no other process has the jobs. */
  readonly processes: Pick<Processes, 'id'> | undefined
  readonly routesOf: (job: Job) => Routes | undefined
  /** Whether this process holds too many bytes of outputs to submit new jobs. */
  readonly isFull: () => boolean
}

/** Decides what to do for a job. */
export interface Turns {
  /**
   * What to do for the job now.
   * @param held the gate that has just given the job its turn
   */
  of(job: Job | undefined, held?: Gate): Turn
  /**
   * The route for the job's next step; `undefined` when this process has no such route, or the route takes no new jobs
   * now.
   */
  routeOf(job: Job): Route | undefined
}

/** Makes the turns of one service. */
export function turns({ clock, sureNow, processes, routesOf, isFull }: TurnContext): Turns {
  const suspects = suspicion(clock)
  const copies = lane(clock, maxCopiesAtATime, longestCopyMs)

  function routeOf(job: Job): Route | undefined {
    const routes = routesOf(job)
    return job.phase === 'accepted' ? routes?.toSubmit(job) : routes?.of(job)
  }

  function noRouteMs(job: Job): number {
    const routes = routesOf(job)
    return job.phase === 'accepted' && routes ? routes.pauseMs() * (1 + Math.random()) : foreignJobMs
  }

  return {
    routeOf,
    of(job, held) {
      if (!job || !hasStepLeft(job)) return { kind: 'none' }
      const now = clock.now()
      if (isFinished(job) && (isExpired(job, sureNow()) || !hasCopyLeft(job))) return { kind: 'none' }
      if (!mayStep(job, now) && !isClaimedAhead(job, now, processes)) {
        const isOwn = hasClaimedAhead(job, processes) && now < (job.dueAt ?? now)
        const until = Math.max((isOwn ? job.dueAt : job.claim?.until) ?? now, job.earliestAt ?? now)
        return { kind: 'wait', until: Math.min(until, Math.max(now, job.webhook?.dueAt ?? until)) }
      }
      const restMs = suspects.restMs(job)
      if (restMs > 0) return { kind: 'wait', until: now + restMs }
      const leftUntil = leftToOthersUntil(job, processes)
      // An instant far ahead was written before the clock was put back, and counts as past.
      if (leftUntil !== undefined && now < leftUntil && now >= (job.dueAt ?? now))
        return { kind: 'wait', until: leftUntil }
      const isAwaiting = awaitsProvider(job)
      if (isFinished(job) && !(isAwaiting && routeOf(job))) {
        // The process that has the provider is to be first.
        const until = (job.earliestAt ?? now) + foreignJobMs
        if (isAwaiting && now < until) return { kind: 'wait', until }
        return { kind: 'step', lanes: [...suspects.lanes(job), copies] }
      }

      const isLate = now >= job.deadlineAt
      const mayBeSubmitted = job.phase === 'accepted' && !isLate
      if (mayBeSubmitted && isFull())
        return { kind: 'wait', until: Math.min(now + fullPauseMs, job.deadlineAt) }
      const route = routeOf(job)
      // A job that may have been paid for is first left to the processes that serve its model: they poll the provider
      // once more before they give the job up.
      const givenUpAt = job.deadlineAt + (job.phase === 'accepted' ? 0 : foreignGraceMs)
      if (!route && now < givenUpAt) {
        const isForsaken = routesOf(job) === undefined && now >= (job.dueAt ?? now) + foreignJobMs
        return { kind: 'wait', until: Math.min(now + noRouteMs(job), givenUpAt), isForsaken }
      }
      const asksNobody = !route || (job.phase === 'accepted' && isLate)
      if (asksNobody || route.gate === held) return { kind: 'step', lanes: [], route }
      // While the job waited at this gate, its next route has changed to one with another gate.
      if (held) return { kind: 'wait', until: now }
      return { kind: 'step', lanes: suspects.lanes(job), route, gate: route.gate }
    },
  }
}
