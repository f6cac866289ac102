import type { JobStore } from '../contracts/job-store.ts'
import type { ClockSteps } from '../job/clock-steps.ts'

/** The job store, whose jobs are read with the instants that they have since the clock was set. */
export function retimedStore(store: JobStore, steps: ClockSteps): JobStore {
  return {
    ...store,
    get: async (id, owner) => {
      const job = await store.get(id, owner)
      return job && steps.retimed(job)
    },
  }
}
