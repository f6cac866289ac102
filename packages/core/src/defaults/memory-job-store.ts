import { shareOfHeap } from '../bytes/share-of-heap.ts'
import { frozen } from '../text/frozen.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { count, optional } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { type JobSize, lengthWithoutTask, sizeOf } from './job-size.ts'
import { addText, removeText, type SortedTexts, textsBackwards } from '../lists/sorted-texts.ts'
import { sharedRoom } from '../sharing/shared-room.ts'
import { memoryUploadNotes } from './memory-upload-notes.ts'
import { memoryCostLedger } from './memory-cost-ledger.ts'
import { restingJobs } from './resting-jobs.ts'
import { checkInstants } from '../job/instants.ts'
import { costEntryOf } from '../job/cost-entry-of.ts'
import { hasCopyLeft, hasStepLeft, isDue, isFinished } from '../job/job-state.ts'
import { storedBytesOf } from '../job/stored-bytes-of.ts'

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

const hourMs = 60 * 60 * 1000
/** About what an entry of the ledger of costs takes. */
const bytesPerLedgerEntry = 400

const inThisProcess = new WeakSet<JobStore>()

/** Whether the store was made by {@link memoryJobStore}. Such a store answers every call at once. */
export function isInThisProcess(jobs: JobStore): boolean {
  return inThisProcess.has(jobs)
}

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
  const owingIds = new Set<string>()
  const idByKey = new Map<string, string>()
  const idsByOwner = new Map<string, SortedTexts>()
  const idsByDeletionHour = new Map<number, Set<string>>()
  const resting = restingJobs({ maxJobs, maxBytes })
  const ledger = memoryCostLedger(Math.min(maxJobs, Math.ceil(maxBytes / bytesPerLedgerEntry / 4)))
  const uploads = memoryUploadNotes()
  let tellForgotten = (_job: Job) => {}

  function forget(job: Job): void {
    owingIds.delete(job.id)
    if (job.idempotency && idByKey.get(job.idempotency.key) === job.id) idByKey.delete(job.idempotency.key)
    const ids = idsByOwner.get(job.owner) ?? []
    removeText(ids, job.id)
    if (ids.length === 0) idsByOwner.delete(job.owner)
    unfile(job)
  }

  function addToOwner({ id, owner }: Job): void {
    const ids = idsByOwner.get(owner)
    if (ids) addText(ids, id)
    else idsByOwner.set(owner, [[id]])
  }

  function file(job: Job): void {
    const hour = deletionHour(job)
    if (hour === undefined) return
    const ids = idsByDeletionHour.get(hour)
    if (ids) ids.add(job.id)
    else idsByDeletionHour.set(hour, new Set([job.id]))
  }

  function unfile(job: Job): void {
    const hour = deletionHour(job)
    const ids = hour === undefined ? undefined : idsByDeletionHour.get(hour)
    if (hour === undefined || !ids) return
    ids.delete(job.id)
    if (ids.size === 0) idsByDeletionHour.delete(hour)
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

  function unfinishedOf(owner: string, limit: number): string[] {
    const ids: string[] = []
    for (const { job } of pinned.values()) {
      if (ids.length >= limit) break
      if (job.owner === owner && !isFinished(job)) ids.push(job.id)
    }
    return ids
  }

  const store: JobStore = {
    async insert(job, maxUnfinished = Infinity) {
      checkInstants(job)
      frozen(job)
      const holder = job.idempotency && holderOf(job.idempotency.key, job.createdAt)
      if (holder) return { outcome: 'duplicate', job: holder }
      if (maxUnfinished < Infinity && unfinishedOf(job.owner, maxUnfinished).length >= maxUnfinished)
        return { outcome: 'over_limit' }
      const size = sizeOf(job)
      if (!hasRoom(job, size)) return { outcome: 'full' }
      pin(job, size)
      if (job.idempotency) idByKey.set(job.idempotency.key, job.id)
      addToOwner(job)
      file(job)
      makeRoom()
      return { outcome: 'inserted' }
    },

    async findByIdempotencyKey(key, now) {
      return holderOf(key, now)
    },

    async get(id) {
      return pinned.get(id)?.job ?? resting.read(id)
    },

    async replace(job, expectedRevision) {
      checkInstants(job)
      const entry = pinned.get(job.id)
      const replaced = entry?.job ?? resting.peek(job.id)
      if (replaced?.revision !== expectedRevision) return 'stale'
      frozen(job)
      if (deletionHour(replaced) !== deletionHour(job)) {
        unfile(replaced)
        file(job)
      }
      const cost = isFinished(replaced) ? undefined : costEntryOf(job)
      if (cost) ledger.add(cost)
      const size = sizeOf(job, entry?.size)
      const isPinned = isFinished(job) ? hasCopyLeft(job) : hasStepLeft(job)
      if (!isPinned && hasStepLeft(job)) owingIds.add(job.id)
      else owingIds.delete(job.id)
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
      const owing = Array.from(owingIds, (id) => resting.peek(id)).filter((job) => job !== undefined)
      return [...Array.from(pinned.values(), ({ job }) => job), ...owing]
        .filter((job) => isDue(job, now))
        .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(skip, skip + limit)
        .map((job) => job.id)
    },

    async expired(now, limit) {
      const jobs: Job[] = []
      for (const [hour, ids] of idsByDeletionHour) {
        if (hour * hourMs > now) continue
        for (const id of ids) {
          const job = peek(id)
          if (job && isFinished(job) && deletionOf(job) <= now) jobs.push(job)
          if (jobs.length === limit) return jobs
        }
      }
      return jobs
    },

    async delete(id) {
      const job = peek(id)
      if (job) forget(job)
      unpin(id)
      resting.remove(id)
    },

    async costs(query) {
      return ledger.find(query)
    },

    async list({ owner, from = '', before, limit, maxLength }) {
      const jobs: Job[] = []
      let length = 0
      for (const id of textsBackwards(idsByOwner.get(owner) ?? [], before)) {
        if (id < from || jobs.length === limit) break
        const job = peek(id)
        if (!job) continue
        length += lengthWithoutTask(job, pinned.get(id)?.size)
        if (length > maxLength && jobs.length > 0) break
        jobs.push(job)
      }
      return jobs
    },

    async unfinished(owner, limit) {
      return unfinishedOf(owner, limit)
    },

    async storedBytes(owner, now) {
      let bytes = uploads.bytesOf(owner, now)
      for (const id of textsBackwards(idsByOwner.get(owner) ?? [])) {
        const job = peek(id)
        if (job && job.expiresAt > now) bytes += storedBytesOf(job)
      }
      return bytes
    },

    async noteUpload(note) {
      uploads.add(note)
    },

    onForgotten(run) {
      tellForgotten = run
    },
  }
  inThisProcess.add(store)
  return store
}

/** When a finished job is to be deleted. */
function deletionOf({ deleteAt, expiresAt }: Job): number {
  return deleteAt ?? expiresAt
}

/**
 * The hour of the job's deletion. The store groups finished jobs by this hour, so that a sweep looks only at jobs whose
 * time may have come. @returns `undefined` for an unfinished job, which is never deleted
 */
function deletionHour(job: Job): number | undefined {
  return isFinished(job) ? Math.floor(deletionOf(job) / hourMs) : undefined
}
