import type { Job } from '../contracts/job.ts'
import { hasStepLeft, isDue, isFinished, longestPauseMs } from '../job/job-state.ts'
import { storedBytesOf } from '../job/cost-entry-of.ts'
import { reservedMicroUsdOf } from '../job/cost-entry-of.ts'
import {
  byInstant,
  byText,
  addItem,
  first,
  itemsBefore,
  itemsFrom,
  listOf,
  removeItem,
  sortedLists,
  sumBefore,
  sumFrom,
} from '../lists/sorted-list.ts'
import { spenderName, spendersOf } from './spender-name.ts'

/** Lists the jobs of a store in the orders of its queries. What a query costs does not grow with the number of jobs. */
export interface MemoryJobLists {
  /**
   * Takes note of a write.
   * @param old the job before the write, the object of the last note. `undefined` for a new job
   * @param job the job after the write. `undefined` for a job that is gone
   */
  note(old: Job | undefined, job: Job | undefined): void
  /** The ids of the owner's jobs before an id, the last one first. @param before @default all ids come */
  idsOf(owner: string, before?: string): Iterable<string>
  /** As documented at `JobStore.due`. */
  due(now: number, limit: number, skip: number): string[]
  /** As documented at `JobStore.expired`. */
  expired(now: number, limit: number): Job[]
  /** As documented at `JobStore.unfinished`. */
  unfinished(owner: string, limit: number): string[]
  /** How many unfinished jobs the owner has. */
  unfinishedCount(owner: string): number
  /** What the unfinished jobs of the owner, or of one key, have reserved, in millionths of a US dollar. */
  reservedMicroUsd(owner: string, keyId?: string): number
  /** The bytes of the outputs of the owner's jobs that have not expired at `now`. */
  storedBytes(owner: string, now: number): number
}

const idOf = ({ id }: Job) => id
/** From when on the job is due: from `dueAt`, but not before its claim has run out. */
const nextStepAt = ({ dueAt = 0, claim }: Job) => Math.max(dueAt, claim?.until ?? 0)
const deletionAt = ({ deleteAt, expiresAt }: Job) => deleteAt ?? expiresAt
const expiryAt = ({ expiresAt }: Job) => expiresAt

export function memoryJobLists(): MemoryJobLists {
  const withStep = sortedLists(byInstant(nextStepAt, idOf))
  const finished = sortedLists(byInstant(deletionAt, idOf))
  const withFiles = sortedLists(byInstant(expiryAt, idOf, storedBytesOf))
  const ids = sortedLists(byText)
  /** For each owner with unfinished jobs, their ids. */
  const unfinishedIds = new Map<string, Set<string>>()
  /** For each owner with reservations, and each key, their sum. */
  const reserved = new Map<string, number>()

  function reserve(job: Job, sign: 1 | -1): void {
    const microUsd = sign * reservedMicroUsdOf(job)
    if (microUsd === 0) return
    for (const name of spendersOf(job)) {
      const sum = (reserved.get(name) ?? 0) + microUsd
      if (sum === 0) reserved.delete(name)
      else reserved.set(name, sum)
    }
  }

  function noteUnfinished({ owner, id }: Job, isUnfinished: boolean): void {
    const own = unfinishedIds.get(owner) ?? new Set()
    unfinishedIds.set(owner, own)
    if (isUnfinished) own.add(id)
    else own.delete(id)
    if (own.size === 0) unfinishedIds.delete(owner)
  }

  /** Adds a job to the lists, or removes it. @param other the job after or before the write */
  function put(job: Job | undefined, other: Job | undefined, change: typeof addItem): void {
    if (!job) return
    const { id, owner } = job
    if (hasStepLeft(job)) change(withStep, job)
    if (isFinished(job)) change(finished, job)
    else if (!other || isFinished(other)) noteUnfinished(job, change === addItem)
    if (storedBytesOf(job) > 0) change(withFiles, job, owner)
    if (!other) change(ids, id, owner)
  }

  return {
    note(old, job) {
      put(old, job, removeItem)
      put(job, old, addItem)
      if (old) reserve(old, -1)
      if (job) reserve(job, 1)
    },

    idsOf: (owner, end) => itemsBefore(listOf(ids, owner), (id) => end === undefined || id < end),

    due(now, limit, skip) {
      const isPast = (job: Job) => nextStepAt(job) <= now
      const jobs = first(itemsFrom(listOf(withStep), undefined, skip), limit, isPast)
      if (jobs.length < limit) {
        let left = skip && skip - sumBefore(withStep, isPast)
        const isNear = (job: Job) => nextStepAt(job) <= now + longestPauseMs
        // An instant that is further ahead was written before the clock was put back.
        for (const job of itemsFrom(listOf(withStep), isNear)) {
          if (jobs.length >= limit) break
          if (isDue(job, now) && left-- <= 0) jobs.push(job)
        }
      }
      return jobs.map(idOf)
    },

    expired: (now, limit) => first(itemsFrom(listOf(finished)), limit, (job) => deletionAt(job) <= now),
    unfinished: (owner, limit) => first(unfinishedIds.get(owner) ?? [], limit),
    unfinishedCount: (owner) => unfinishedIds.get(owner)?.size ?? 0,
    reservedMicroUsd: (owner, keyId) => reserved.get(spenderName(owner, keyId)) ?? 0,

    storedBytes: (owner, now) => sumFrom(withFiles, (job) => expiryAt(job) <= now, owner),
  }
}
