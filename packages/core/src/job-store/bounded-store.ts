import type { Processes } from '../contracts/storage/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { isMalformedJob, storeUnavailable } from '../errors/generation-error.ts'
import type { Ending } from '../contracts/ending.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** Limits for the calls of a create, in milliseconds: a client learns within 2 seconds that its job can't be stored. */
export const createLimitMs = { findByIdempotencyKey: 650, insert: 900 }
/** For how long all other calls may take, in milliseconds. */
const usualMs = 10_000
/** For how long each call may take, in milliseconds. A call without a limit does not compile. */
const limitsMs = {
  ...createLimitMs,
  get: usualMs,
  replace: usualMs,
  due: usualMs,
  expired: usualMs,
  delete: usualMs,
  costs: usualMs,
  dailyUsage: usualMs,
  list: usualMs,
  listAll: usualMs,
  findByTaskId: usualMs,
  audit: usualMs,
  auditEntries: usualMs,
  unfinished: usualMs,
  spending: usualMs,
  grant: usualMs,
  grants: usualMs,
  storedBytes: usualMs,
  noteUpload: usualMs,
} satisfies Record<Exclude<keyof JobStore, 'onForgotten'>, number>

type Calls = Record<string, ((...parameters: unknown[]) => Promise<unknown>) | undefined>

/**
 * Wraps a job store so that its calls fail if they are not answered in time, and so that each of its errors becomes a
 * GenerationError `store_unavailable` with the error as its cause. That the store refuses a job as malformed stays as it is.
 * @param closed when this ends, all unanswered calls and all later calls fail
 */
export function boundedStore(jobs: JobStore, clock: Clock, closed: Ending): JobStore {
  const calls = jobs as unknown as Calls
  const bounded: Calls = {}
  for (const [name, limitMs] of Object.entries(limitsMs))
    if (calls[name])
      bounded[name] = (...parameters) =>
        withinLimit(clock, limitMs, 'job store', () => calls[name]!(...parameters), closed).catch(tell)
  return bounded as unknown as JobStore
}

function tell(cause: unknown): never {
  throw isMalformedJob(cause) ? cause : storeUnavailable(cause)
}

/** Wraps the `processes` of a backend so that its calls fail if they are not answered in time. */
export function boundedProcesses(processes: Processes, clock: Clock, closed: Ending): Processes {
  const within = <Result>(call: () => Promise<Result>) => withinLimit(clock, usualMs, 'backend', call, closed)
  return {
    id: processes.id,
    hasEnded: (id) => within(() => processes.hasEnded(id)),
    leftBehind: (limit) => within(() => processes.leftBehind(limit)),
    mayReturnMs: processes.mayReturnMs ?? 0,
    seenSince: () => processes.seenSince?.() ?? Number.NEGATIVE_INFINITY,
  }
}
