import type { Processes } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { isMalformedJob, storeUnavailable } from '../errors/generation-error.ts'
import type { Ending } from '../contracts/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/**
 * Limits in milliseconds for the calls of a create, so that the client learns within 2 seconds that the job can't be
 * stored.
 */
export const createLimitMs = { find: 650, insert: 900 }
/** The limit for all other calls, in milliseconds. */
const limitMs = 10_000

/**
 * Wraps a job store so that its calls fail if they are not answered in time, and so that each of its errors becomes a
 * GenerationError `store_unavailable` with the error as its cause. That the store refuses a job as malformed stays as it is.
 * @param closed when this ends, all unanswered calls and all later calls fail
 */
export function boundedStore(jobs: JobStore, clock: Clock, closed: Ending): JobStore {
  const within = <Result>(ms: number, call: () => Promise<Result>) =>
    withinLimit(clock, ms, 'job store', call, closed).catch(tell)
  return {
    insert: (...created) => within(createLimitMs.insert, () => jobs.insert(...created)),
    findByIdempotencyKey: (key, now) => within(createLimitMs.find, () => jobs.findByIdempotencyKey(key, now)),
    get: (id, owner, inputs) => within(limitMs, () => jobs.get(id, owner, inputs)),
    replace: (...written) => within(limitMs, () => jobs.replace(...written)),
    due: (now, limit, skip) => within(limitMs, () => jobs.due(now, limit, skip)),
    expired: (now, limit) => within(limitMs, () => jobs.expired(now, limit)),
    delete: (id, expectedRevision) => within(limitMs, () => jobs.delete(id, expectedRevision)),
    ...(jobs.costs && { costs: (query) => within(limitMs, () => jobs.costs!(query)) }),
    ...(jobs.dailyUsage && { dailyUsage: (query) => within(limitMs, () => jobs.dailyUsage!(query)) }),
    ...(jobs.list && { list: (query) => within(limitMs, () => jobs.list!(query)) }),
    ...(jobs.unfinished && {
      unfinished: (owner, limit) => within(limitMs, () => jobs.unfinished!(owner, limit)),
    }),
    ...(jobs.spending && {
      spending: (owner, spans) => within(limitMs, () => jobs.spending!(owner, spans)),
    }),
    ...(jobs.grant && { grant: (grant) => within(limitMs, () => jobs.grant!(grant)) }),
    ...(jobs.grants && { grants: (query) => within(limitMs, () => jobs.grants!(query)) }),
    ...(jobs.storedBytes && {
      storedBytes: (owner, now) => within(limitMs, () => jobs.storedBytes!(owner, now)),
    }),
    ...(jobs.noteUpload && { noteUpload: (note) => within(limitMs, () => jobs.noteUpload!(note)) }),
  }
}

function tell(cause: unknown): never {
  throw isMalformedJob(cause) ? cause : storeUnavailable(cause)
}

/** Wraps the `processes` of a backend so that its calls fail if they are not answered in time. */
export function boundedProcesses(processes: Processes, clock: Clock, closed: Ending): Processes {
  const within = <Result>(call: () => Promise<Result>) => withinLimit(clock, limitMs, 'backend', call, closed)
  return {
    id: processes.id,
    hasEnded: (id) => within(() => processes.hasEnded(id)),
    leftBehind: (limit) => within(() => processes.leftBehind(limit)),
    mayReturnMs: processes.mayReturnMs ?? 0,
    seenSince: () => processes.seenSince?.() ?? Number.NEGATIVE_INFINITY,
  }
}
