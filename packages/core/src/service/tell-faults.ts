import type { JobStore } from '../contracts/job-store.ts'
import { storeUnavailable } from '../errors/store-unavailable.ts'

/**
 * Wraps a job store so that each of its errors becomes a GenerationError `store_unavailable` with the error as its
 * cause.
 */
export function tellFaults(jobs: JobStore): JobStore {
  const telling =
    <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await ask(...args)
      } catch (cause) {
        throw storeUnavailable(cause)
      }
    }
  return {
    insert: telling((job) => jobs.insert(job)),
    findByIdempotencyKey: telling((key, now) => jobs.findByIdempotencyKey(key, now)),
    get: telling((id, owner) => jobs.get(id, owner)),
    replace: telling((job, expectedRevision) => jobs.replace(job, expectedRevision)),
    due: telling((now, limit, skip) => jobs.due(now, limit, skip)),
    expired: telling((now, limit) => jobs.expired(now, limit)),
    delete: telling((id) => jobs.delete(id)),
    ...(jobs.costs && { costs: telling((query) => jobs.costs!(query)) }),
    ...(jobs.list && { list: telling((query) => jobs.list!(query)) }),
    ...(jobs.unfinished && { unfinished: telling((owner, limit) => jobs.unfinished!(owner, limit)) }),
    ...(jobs.storedBytes && { storedBytes: telling((owner, now) => jobs.storedBytes!(owner, now)) }),
    ...(jobs.noteUpload && { noteUpload: telling((note) => jobs.noteUpload!(note)) }),
    ...(jobs.onForgotten && { onForgotten: (run) => jobs.onForgotten?.(run) }),
  }
}
