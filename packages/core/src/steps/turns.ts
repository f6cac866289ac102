import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Gate } from '../routing/gate.ts'
import type { Route, Routes } from '../routing/routes.ts'
import { hasStepLeft, isFinished, mayStep } from '../job/job-machine.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { isExpired } from '../job/retention.ts'
import { suspicion } from './suspicion.ts'

/** How long to leave a job alone whose model or route this process does not serve: another one may. */
const foreignJobMs = 60_000
/** How long after its deadline such a job may still be ended by a process that serves it. */
const foreignGraceMs = 2 * foreignJobMs
/** How long a new job waits before it is looked at again while this process holds as many outputs as it may. */
const fullPauseMs = 1000
const maxCopiesAtATime = 8
const longestCopyMs = 20 * 60_000

/** What is to be done about a job now. */
export type Turn =
  | { readonly kind: 'none' }
  /** Nothing before this instant. */
  | { readonly kind: 'wait'; readonly until: number }
  /** A step by this route, once it is through these lanes and then the gate. */
  | {
      readonly kind: 'step'
      readonly lanes: readonly Lane[]
      readonly route?: Route | undefined
      readonly gate?: Gate | undefined
    }

export interface TurnContext {
  readonly clock: Clock
  readonly routesOf: (model: string) => Routes | undefined
  /** Whether this process holds as many outputs as it may. */
  readonly isFull: () => boolean
}

export interface Turns {
  /** @param held the gate at which the job's turn has come */
  of(job: Job | undefined, held?: Gate): Turn
  /** The route by which the next step is to be taken; `undefined` when there is none, or none now. */
  routeOf(job: Job): Route | undefined
}

export function turns({ clock, routesOf, isFull }: TurnContext): Turns {
  const suspects = suspicion(clock)
  const copies = lane(clock, maxCopiesAtATime, longestCopyMs)

  function routeOf(job: Job): Route | undefined {
    const routes = routesOf(job.model)
    return job.phase === 'accepted' ? routes?.toSubmit(job) : routes?.of(job)
  }

  function noRouteMs(job: Job): number {
    const routes = routesOf(job.model)
    return job.phase === 'accepted' && routes ? routes.pauseMs() * (1 + Math.random()) : foreignJobMs
  }

  return {
    routeOf,
    of(job, held) {
      if (!job || !hasStepLeft(job)) return { kind: 'none' }
      const now = clock.now()
      if (isFinished(job) && isExpired(job, now)) return { kind: 'none' }
      if (!mayStep(job, now))
        return { kind: 'wait', until: Math.max(job.claimedUntil ?? now, job.earliestAt ?? now) }
      const restMs = suspects.restMs(job)
      if (restMs > 0) return { kind: 'wait', until: now + restMs }
      if (isFinished(job)) return { kind: 'step', lanes: [...suspects.lanes(job), copies] }

      const isLate = now >= job.deadlineAt
      const mayBeSubmitted = job.phase === 'accepted' && !isLate
      if (mayBeSubmitted && isFull())
        return { kind: 'wait', until: Math.min(now + fullPauseMs, job.deadlineAt) }
      const route = routeOf(job)
      // A job that was perhaps paid for is given up by nobody else until those who serve its model have asked once more.
      const givenUpAt = job.deadlineAt + (job.phase === 'accepted' ? 0 : foreignGraceMs)
      if (!route && now < givenUpAt) return { kind: 'wait', until: Math.min(now + noRouteMs(job), givenUpAt) }
      const asksNobody = !route || (job.phase === 'accepted' && isLate)
      if (asksNobody || route.gate === held) return { kind: 'step', lanes: [], route }
      // While the job waited for its turn at this gate, a route with another gate has become its next one.
      if (held) return { kind: 'wait', until: now }
      const { gate } = route
      return { kind: 'step', lanes: suspects.lanes(job, gate), route, gate }
    },
  }
}
