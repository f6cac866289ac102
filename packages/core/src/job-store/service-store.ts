import type { ServiceParts } from '../contracts/service-parts.ts'
import type { JobStore, WatchedStore } from '../contracts/job-store.ts'
import { isInThisProcess } from '../defaults/memory-job-store.ts'
import { isMalformedJob } from '../errors/generation-error.ts'
import type { Job } from '../contracts/job.ts'
import type { ClockSteps } from '../clock/clock-steps.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { onceAMinute } from '../pacing/once-a-minute.ts'
import { shortText } from '../text/short-text.ts'
import { boundedStore } from './bounded-store.ts'
import { nameLostTasks } from './name-lost-tasks.ts'
import { rememberInputs } from './remember-inputs.ts'

/** What {@link serviceStore} works with. */
export interface ServiceStoreContext extends Pick<ServiceParts, 'clock' | 'closedStore' | 'log'> {
  readonly clockSteps: ClockSteps
  readonly wrote: WatchedStore['wrote']
}

/**
 * The job store as the service uses it: each call ends in time, each error becomes `store_unavailable`, `wrote`
 * hears of each write, and the instants in jobs are corrected if the clock was set. A job that the store refuses as
 * malformed is logged at once, with the handle of its task, and at most once a minute: whoever has an answer that was paid
 * for goes on trying to write it.
 */
export function serviceStore(
  jobs: JobStore,
  { clock, clockSteps, closedStore, log, wrote }: ServiceStoreContext,
): WatchedStore {
  // The store in the memory of this process has no errors, and answers at once.
  const store = isInThisProcess(jobs)
    ? jobs
    : rememberInputs(nameLostTasks(boundedStore(jobs, clock, closedStore), log, clock))
  const occurrence = onceAMinute(clock)
  const written = <Outcome>(job: Job, write: Promise<Outcome>): Promise<Outcome> =>
    write.catch((fault: unknown) => {
      if (isMalformedJob(fault) && occurrence(job.id))
        log.error(`${whose(job)} can't be written as it is: ${shortText(fault.cause)}`, fieldsOf(job))
      throw fault
    })
  return {
    ...store,
    wrote,
    // The key of a job that may not have expired must not become free: its client would pay again.
    findByIdempotencyKey: (key, now) => store.findByIdempotencyKey(key, Math.min(now, clockSteps.sureNow())),
    insert: (...created) => written(created[0], store.insert(...created)),
    replace: (...changed) => written(changed[0], store.replace(...changed)),
    get: async (id, owner) => {
      const job = await store.get(id, owner)
      return job && clockSteps.retimed(job)
    },
  }
}
