import type { Clock } from '../contracts/clock.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { isInThisProcess } from '../defaults/memory-job-store.ts'
import type { ClockSteps } from '../job/clock-steps.ts'
import type { Ending } from '../pacing/ending.ts'
import { appTeller } from './app-teller.ts'
import { boundedStore } from './bounded-store.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import { tellTransitions } from './tell-transitions.ts'

/** What {@link serviceStore} works with. */
export interface ServiceStoreContext extends Pick<GenerationServiceOptions, 'onTransition'> {
  readonly clock: Clock
  readonly clockSteps: ClockSteps
  /** Ends when the service stops waiting for the job store. */
  readonly closedStore: Ending
  readonly log: Log
}

/**
 * The job store as the service uses it: each call ends in time, each error becomes `store_unavailable`, `onTransition`
 * gets the changes of phase, and the instants in jobs are corrected if the clock was set.
 */
export function serviceStore(
  jobs: JobStore,
  { clock, clockSteps, closedStore, log, onTransition }: ServiceStoreContext,
): JobStore {
  // The store in the memory of this process has no errors, and answers at once.
  const bounded = isInThisProcess(jobs) ? jobs : boundedStore(jobs, clock, closedStore)
  const store = onTransition
    ? tellTransitions(
        bounded,
        appTeller(log, 'onTransition', onTransition, ({ job }) => job),
      )
    : bounded
  return {
    ...store,
    get: async (id, owner) => {
      const job = await store.get(id, owner)
      return job && clockSteps.retimed(job)
    },
  }
}
