import { shareOfHeap } from '../bytes/share-of-heap.ts'
import { frozen } from '../text/json-values.ts'
import type { Job } from '../contracts/job.ts'
import type {
  AllJobsQuery,
  JobStore,
  SpendingBudget,
  SpendingSpan,
  SpendingSums,
} from '../contracts/storage/job-store.ts'
import { count, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { type JobSize, lengthWithoutInput, sizeOf } from './job-size.ts'
import { sharedRoom } from '../sharing/shared-room.ts'
import { markInThisProcess } from './in-this-process.ts'
import { memoryCostLedger } from './memory-cost-ledger.ts'
import { memoryGrants } from './memory-grants.ts'
import { memoryAuditLog } from './memory-audit-log.ts'
import { type ListName, memoryJobLists } from './memory-job-lists.ts'
import { memoryUploadNotes } from './memory-upload-notes.ts'
import { budgetRoom } from '../ledger/budget-room.ts'
import { restingJobs } from './resting-jobs.ts'
import { checkInstants } from '../job/instants.ts'
import { costEntryOf, reservedMicroUsdOf } from '../ledger/cost-entry-of.ts'
import { hasCopyLeft, hasStepLeft, isFinished } from '../job/job-state.ts'

/** The options of {@link memoryJobStore}. */
export interface MemoryJobStoreOptions {
  /** How many jobs the store holds, processing and finished ones together. @default 100000 */
  readonly maxJobs?: number | undefined
  /**
   * How many bytes all jobs may take together, counted as about two for each character of their JSON and 400 for each job. The unfinished
   * jobs of one owner may take as much as they leave free, so that there is room for other owners: half of `maxBytes`,
   * or less if other owners have taken some. A single unfinished job of an owner may take all that is free.
   * @default 268435456 (256 MiB), or an eighth of the heap that is free when the store is made, if that is less
   */
  readonly maxBytes?: number | undefined
}

/** The checks of the options of {@link memoryJobStore}. */
export const memoryJobStoreTable = {
  maxJobs: optional(count(), 100_000),
  maxBytes: optional(count()),
} satisfies OptionTable<MemoryJobStoreOptions>

/** A job that is never dropped. */
interface Pinned {
  job: Job
  size: JobSize
}

/** About what an entry of the ledger of costs takes. */
const bytesPerLedgerEntry = 400

/**
 * Keeps jobs in memory. Jobs that have not finished or have outputs to copy are pinned: they are never dropped. The
 * others are at rest, and are dropped when new jobs need room, even if they owe a delivery: otherwise receivers that do
 * not answer could keep the store full.
 */
export function memoryJobStore(options?: MemoryJobStoreOptions): JobStore {
  const checked = checkOptions('memoryJobStore', options, memoryJobStoreTable)
  const { maxJobs, maxBytes = shareOfHeap(1 / 8, 256 * 1024 * 1024) } = checked

  const pinned = new Map<string, Pinned>()
  const pinnedBytes = sharedRoom(maxBytes)
  const idByKey = new Map<string, string>()
  const lists = memoryJobLists()
  const resting = restingJobs({ maxJobs, maxBytes })
  const grants = memoryGrants()
  const ledger = memoryCostLedger(
    Math.min(maxJobs, Math.ceil(maxBytes / bytesPerLedgerEntry / 4)),
    grants.settle,
  )
  const uploads = memoryUploadNotes()
  const log = memoryAuditLog()
  let tellForgotten = (_job: Job) => {}

  function forget(job: Job): void {
    if (job.idempotency && idByKey.get(job.idempotency.key) === job.id) idByKey.delete(job.idempotency.key)
    lists.note(job, undefined)
  }

  function unpin(id: string): void {
    const entry = pinned.get(id)
    if (!entry) return
    pinned.delete(id)
    pinnedBytes.add(entry.job.owner, -entry.size.bytes)
  }

  /** @param entry the entry of the job, if it is pinned already */
  function pin(job: Job, size: JobSize, entry?: Pinned): void {
    pinnedBytes.add(job.owner, size.bytes - (entry?.size.bytes ?? 0))
    if (!entry) return void pinned.set(job.id, { job, size })
    entry.job = job
    entry.size = size
  }

  function hasRoom({ owner }: Job, { bytes }: JobSize): boolean {
    return pinned.size < maxJobs && pinnedBytes.fits(bytes) && pinnedBytes.mayHave(owner, bytes)
  }

  /**
   * Drops jobs at rest until there is room for all jobs and `moreJobs` and `moreBytes` in addition, or until none is
   * left.
   */
  function makeRoom(moreJobs = 0, moreBytes = 0): void {
    const isOverfull = () =>
      pinned.size + resting.count + moreJobs > maxJobs ||
      pinnedBytes.held + resting.bytes + moreBytes > maxBytes
    while (isOverfull()) {
      const job = resting.takeOne()
      if (!job) return
      forget(job)
      tellForgotten(job)
    }
  }

  function peek(id: string): Job | undefined {
    return pinned.get(id)?.job ?? resting.peek(id)
  }

  function holderOf(key: string, now: number): Job | undefined {
    const id = idByKey.get(key)
    const job = id === undefined ? undefined : peek(id)
    return job && job.expiresAt > now ? job : undefined
  }

  function spendingOf(owner: string, span: SpendingSpan): SpendingSums {
    const { spentMicroUsd, reservedMicroUsd } = ledger.spending(owner, span)
    return {
      spentMicroUsd,
      reservedMicroUsd: reservedMicroUsd + lists.reservedMicroUsd(owner, span.keyId),
      grantedMicroUsd: span.hasGrants ? grants.microUsdOf(owner) : 0,
    }
  }

  function roomOf(job: Job, budgets: readonly SpendingBudget[] | undefined, before?: Job) {
    const sums = budgets?.map((budget) => spendingOf(job.owner, budget))
    return budgets && sums && budgetRoom(budgets, sums, job, before && reservedMicroUsdOf(before))
  }

  function jobsIn(
    list: ListName,
    { from = '', before, limit, maxLength }: Omit<AllJobsQuery, 'state'>,
  ): Job[] {
    const jobs: Job[] = []
    let length = 0
    for (const id of lists.idsIn(list, before)) {
      if (id < from || jobs.length === limit) break
      const job = peek(id)
      if (!job) continue
      length += lengthWithoutInput(job, pinned.get(id)?.size)
      if (length > maxLength && jobs.length > 0) break
      jobs.push(job)
    }
    return jobs
  }

  return markInThisProcess({
    async insert(job, maxUnfinished = Infinity, budgets) {
      checkInstants(job)
      frozen(job)
      const holder = job.idempotency && holderOf(job.idempotency.key, job.createdAt)
      if (holder) return { outcome: 'duplicate', job: holder }
      if (lists.unfinishedCount(job.owner) >= maxUnfinished) return { outcome: 'over_limit' }
      const room = roomOf(job, budgets)
      if (room && !room.isLeft) return { outcome: 'over_budget', takenMicroUsd: room.takenMicroUsd }
      const size = sizeOf(job)
      if (!hasRoom(job, size)) return { outcome: 'full' }
      pin(job, size)
      if (job.idempotency) idByKey.set(job.idempotency.key, job.id)
      lists.note(undefined, job)
      makeRoom()
      return room ? { outcome: 'inserted', takenMicroUsd: room.takenMicroUsd } : { outcome: 'inserted' }
    },

    async findByIdempotencyKey(key, now) {
      return holderOf(key, now)
    },

    async get(id) {
      return pinned.get(id)?.job ?? resting.read(id)
    },

    async replace(job, expectedRevision, budgets) {
      checkInstants(job)
      const entry = pinned.get(job.id)
      const replaced = entry?.job ?? resting.peek(job.id)
      if (replaced?.revision !== expectedRevision) return 'stale'
      const room = roomOf(job, budgets, replaced)
      if (room && !room.isLeft) return { outcome: 'over_budget', takenMicroUsd: room.takenMicroUsd }
      frozen(job)
      lists.note(replaced, job)
      const cost = isFinished(replaced) ? undefined : costEntryOf(job)
      if (cost) ledger.add(cost)
      const size = sizeOf(job, entry?.size)
      const isPinned = isFinished(job) ? hasCopyLeft(job) : hasStepLeft(job)
      if (!entry) resting.remove(job.id)
      if (isPinned) {
        pin(job, size, entry)
        makeRoom()
      } else {
        unpin(job.id)
        // This makes room before the job itself is at rest, so that the job is not dropped at once: the requests that
        // wait for the job must be able to read it.
        makeRoom(1, size.bytes)
        resting.add(job, size.bytes)
      }
      return 'replaced'
    },

    async due(now, limit, skip = 0) {
      return lists.due(now, limit, skip)
    },

    async expired(now, limit) {
      return lists.expired(now, limit)
    },

    async delete(id, expectedRevision) {
      const job = peek(id)
      if (job && job.revision !== (expectedRevision ?? job.revision)) return
      if (job) forget(job)
      unpin(id)
      resting.remove(id)
    },

    async costs(query) {
      return ledger.find(query)
    },

    async dailyUsage(query) {
      return ledger.dailyUsage(query)
    },

    async list({ owner, ...query }) {
      return jobsIn(`:${owner}` as const, query)
    },

    async listAll({ state, ...query }) {
      return jobsIn(state ?? '', query)
    },

    async findByTaskId(taskId, limit) {
      return lists.findByTaskId(taskId, limit)
    },

    async audit(entry) {
      log.add(entry)
    },

    async auditEntries(query) {
      return log.find(query)
    },

    async unfinished(owner, limit) {
      return lists.unfinished(owner, limit)
    },

    async spending(owner, spans) {
      return spans.map((span) => spendingOf(owner, span))
    },

    async grant(grant) {
      return grants.add(grant)
    },

    async grants(query) {
      return grants.find(query)
    },

    async storedBytes(owner, now) {
      return lists.storedBytes(owner, now) + uploads.bytesOf(owner, now)
    },

    async noteUpload(note) {
      uploads.add(note)
    },

    onForgotten(run) {
      tellForgotten = run
    },
  })
}
