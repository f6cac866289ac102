import type { Processes } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/**
 * Limits in milliseconds for the calls of a create, so that the client learns within 2 seconds that the job can't be
 * stored.
 */
const createLimitMs = { find: 650, insert: 900 }
/** The limit for all other calls, in milliseconds. */
const limitMs = 10_000

/** Wraps a job store so that its calls fail if they are not answered in time. */
export function boundedStore(jobs: JobStore, clock: Clock): JobStore {
  const within = <Result>(ms: number, call: () => Promise<Result>) =>
    withinLimit(clock, ms, 'job store', call)
  return {
    insert: (job) => within(createLimitMs.insert, () => jobs.insert(job)),
    findByIdempotencyKey: (key, now) => within(createLimitMs.find, () => jobs.findByIdempotencyKey(key, now)),
    get: (id, owner) => within(limitMs, () => jobs.get(id, owner)),
    replace: (job, expectedRevision) => within(limitMs, () => jobs.replace(job, expectedRevision)),
    due: (now, limit) => within(limitMs, () => jobs.due(now, limit)),
    expired: (now, limit) => within(limitMs, () => jobs.expired(now, limit)),
    delete: (id) => within(limitMs, () => jobs.delete(id)),
    ...(jobs.costs && { costs: (query) => within(limitMs, () => jobs.costs!(query)) }),
  }
}

/** Wraps `processes` of a backend so that its calls fail if they are not answered in time. */
export function boundedProcesses(processes: Processes, clock: Clock): Processes {
  const within = <Result>(call: () => Promise<Result>) => withinLimit(clock, limitMs, 'backend', call)
  return {
    id: processes.id,
    hasEnded: (id) => within(() => processes.hasEnded(id)),
    leftBehind: (limit) => within(() => processes.leftBehind(limit)),
  }
}
