import type { ServiceParts } from '../contracts/service-parts.ts'
import type { JobStore, WatchedStore } from '../contracts/storage/job-store.ts'
import { isInThisProcess } from '../defaults/in-this-process.ts'
import type { ClockSteps } from '../clock/clock-steps.ts'
import { boundedStore } from './bounded-store.ts'
import { nameLostTasks } from './name-lost-tasks.ts'
import { rememberInputs } from './remember-inputs.ts'

/** What {@link serviceStore} works with. */
export interface ServiceStoreContext extends Pick<ServiceParts, 'clock' | 'closedStore' | 'log'> {
  readonly clockSteps: ClockSteps
  readonly wrote: WatchedStore['wrote']
}

/**
 * The job store as the service uses it: each call ends in time, each error becomes `store_unavailable`, what the store loses
 * or refuses is logged, `wrote` hears of each write, and the instants in jobs are corrected if the clock was set.
 */
export function serviceStore(
  jobs: JobStore,
  { clock, clockSteps, closedStore, log, wrote }: ServiceStoreContext,
): WatchedStore {
  // The store in the memory of this process has no errors, and answers at once.
  const store = isInThisProcess(jobs)
    ? jobs
    : rememberInputs(nameLostTasks(boundedStore(jobs, clock, closedStore), log, clock))
  return {
    ...store,
    wrote,
    // The key of a job that may not have expired must not become free: its client would pay again.
    findByIdempotencyKey: (key, now) => store.findByIdempotencyKey(key, Math.min(now, clockSteps.sureNow())),
    get: async (id, owner) => {
      const job = await store.get(id, owner)
      return job && clockSteps.retimed(job)
    },
  }
}
