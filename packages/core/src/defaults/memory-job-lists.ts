import type { Job } from '../contracts/job.ts'
import type { AllJobsQuery } from '../contracts/storage/job-store.ts'
import { hasStepLeft, isDue, isFinished, longestPauseMs } from '../job/job-state.ts'
import { taskIdOf } from '../job/task-id.ts'
import { storedBytesOf } from '../ledger/cost-entry-of.ts'
import { reservedMicroUsdOf } from '../ledger/cost-entry-of.ts'
import {
  byInstant,
  byText,
  byTextAndId,
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
  /** The ids of the jobs in a list before an id, the last one first. @param before @default all ids come */
  idsIn(list: ListName, before?: string): Iterable<string>
  /** As documented at `JobStore.findByTaskId`. */
  findByTaskId(taskId: string, limit: number): string[]
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

/** All jobs, those in a state, those of an owner, or the unfinished ones of an owner. */
export type ListName = '' | NonNullable<AllJobsQuery['state']> | `${'' | 'unfinished'}:${string}`

const idOf = ({ id }: Job) => id
/** From when on the job is due: from `dueAt`, but not before its claim has run out. */
const nextStepAt = ({ dueAt = 0, claim }: Job) => Math.max(dueAt, claim?.until ?? 0)
const deletionAt = ({ deleteAt, expiresAt }: Job) => deleteAt ?? expiresAt
const expiryAt = ({ expiresAt }: Job) => expiresAt

/** The lists that have the id of the job. */
function listsOf(job: Job | undefined): ListName[] {
  if (!job) return []
  const { phase, owner } = job
  const all: ListName[] = ['', `:${owner}`]
  if (phase !== 'completed' && phase !== 'failed') return [...all, 'unfinished', `unfinished:${owner}`]
  return hasStepLeft(job) ? [...all, phase, 'owing'] : [...all, phase]
}

const taskOf = (job: Job) => taskIdOf(job) ?? ''

export function memoryJobLists(): MemoryJobLists {
  const withStep = sortedLists(byInstant(nextStepAt, idOf))
  const finished = sortedLists(byInstant(deletionAt, idOf))
  const withFiles = sortedLists(byInstant(expiryAt, idOf, storedBytesOf))
  /** Ids of jobs, by the name of their list. */
  const ids = sortedLists(byText)
  /** The jobs whose task has an id. */
  const tasks = sortedLists(byTextAndId(taskOf, idOf))
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

  /** Adds a job to the lists, or removes it. @param other the job after or before the write */
  function put(job: Job | undefined, other: Job | undefined, change: typeof addItem): void {
    if (!job) return
    if (hasStepLeft(job)) change(withStep, job)
    if (isFinished(job)) change(finished, job)
    if (storedBytesOf(job) > 0) change(withFiles, job, job.owner)
    if (taskIdOf(job) !== undefined) change(tasks, job)
    // A job that goes on stays in the same lists of ids.
    if (other && !isFinished(job) && !isFinished(other)) return
    const others = listsOf(other)
    for (const name of listsOf(job)) if (!others.includes(name)) change(ids, job.id, name)
  }

  return {
    note(old, job) {
      put(old, job, removeItem)
      put(job, old, addItem)
      if (old) reserve(old, -1)
      if (job) reserve(job, 1)
    },

    idsIn: (list, end) => itemsBefore(listOf(ids, list), (id) => end === undefined || id < end),

    findByTaskId(taskId, limit) {
      const jobs = itemsFrom(listOf(tasks), (job) => taskOf(job) < taskId)
      return first(jobs, limit, (job) => taskOf(job) === taskId).map(idOf)
    },

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
    unfinished: (owner, limit) => first(itemsFrom(listOf(ids, `unfinished:${owner}`)), limit),
    unfinishedCount: (owner) => listOf(ids, `unfinished:${owner}`).sum,
    reservedMicroUsd: (owner, keyId) => reserved.get(spenderName(owner, keyId)) ?? 0,

    storedBytes: (owner, now) => sumFrom(withFiles, (job) => expiryAt(job) <= now, owner),
  }
}
