import type { AuditEntry, AuditQuery } from './audit-entry.ts'
import type { CostEntry, CostQuery } from './cost-entry.ts'
import type { UsageQuery, UsageRow } from './daily-usage.ts'
import type { Job, JobInputs } from '../job.ts'
import type { UploadNote } from './upload-note.ts'

/** The outcome of an insert. */
export type InsertOutcome =
  | {
      /** The job is stored. */
      readonly outcome: 'inserted'
      /** As in {@link OverBudget}. Absent when there was no budget. */
      readonly takenMicroUsd?: readonly number[] | undefined
    }
  | {
      /** Nothing was stored, because another job that has not expired has the same idempotency key. */
      readonly outcome: 'duplicate'
      /** The job that has the key. */
      readonly job: Job
    }
  | {
      /** Nothing was stored: there is no room, and finished jobs could not make enough. */
      readonly outcome: 'full'
    }
  | {
      /** Nothing was stored: the owner has as many unfinished jobs as allowed. */
      readonly outcome: 'over_limit'
    }
  | OverBudget

/** The outcome of a write that stores nothing, because the job does not fit into one of its budgets. */
export interface OverBudget {
  /** What became of the write. */
  readonly outcome: 'over_budget'
  /**
   * What is taken of each budget without this job, in the order of the budgets and in whole millionths of a US dollar: what is
   * spent and reserved, less what was granted.
   */
  readonly takenMicroUsd: readonly number[]
}

/** Which jobs of an owner count in a sum, and since when. Instants are milliseconds since the Unix epoch. */
export interface SpendingSpan {
  /** Jobs that were created with this key. @default those of all keys, and those without one */
  readonly keyId?: string | undefined
  /** Jobs that ended at this instant or later count with the `reservedUsd` of their entries in the ledger. */
  readonly from: number
  /**
   * Jobs that ended at this instant or later count with the `costUsd` of their entries. Whoever inserts jobs has added up
   * earlier ones, so that a store need not add up a whole day for each job.
   */
  readonly costsFrom: number
  /** Whether to add up what the owner was granted. @default false */
  readonly hasGrants?: boolean | undefined
}

/** What the jobs of an owner may cost together. A job may have to fit into several budgets. */
export interface SpendingBudget extends SpendingSpan {
  /**
   * The most that the owner may have spent and reserved, with the new job: whole millionths of a US dollar. With `hasGrants`,
   * what was granted is added to it.
   */
  readonly mostMicroUsd: number
}

/** What an owner has spent and reserved, in whole millionths of a US dollar. */
export interface SpendingSums {
  /** The sum of the `costUsd` of the entries in the ledger. */
  readonly spentMicroUsd: number
  /** The sum of the `reservedUsd` of the entries in the ledger, and of `reservedMicroUsdOf` of all unfinished jobs. */
  readonly reservedMicroUsd: number
  /** The sum of the owner's grants. 0 without `hasGrants`. */
  readonly grantedMicroUsd: number
}

/** What an owner was granted to spend: an entry of the balance. */
export interface Grant {
  /** Different for each grant. A second grant with the same id is the same grant. */
  readonly id: string
  /** The owner whose balance it changes. */
  readonly owner: string
  /** How much it adds, in US dollars; less than 0 for a correction. A whole number of millionths. */
  readonly usd: number
  /** Who has granted it. */
  readonly by: string
  /** Why it was granted. */
  readonly why: string
  /** When it was granted, in milliseconds since the Unix epoch. */
  readonly grantedAt: number
}

/** Selects grants. */
export interface GrantQuery {
  /** The owner of the grants. @default the grants of all owners */
  readonly owner?: string | undefined
  /** Grants that come after this one in the order. @default all from the beginning */
  readonly after?: Pick<Grant, 'id' | 'grantedAt'> | undefined
  /** The most grants to return. */
  readonly limit: number
}

/**
 * Stores jobs: the order of each job once, and its state with each write. Scheduler and signals may lose entries, the
 * store may not. An error of disk or network is thrown; every other outcome is a value. The store returns a job equal to
 * the one that was stored. A caller that changes a returned or stored object in place either gets an exception or changes
 * nothing in the store. Instants are whole milliseconds since the Unix epoch: `insert` and `replace` call
 * `checkInstants`, and write nothing if it throws.
 */
export interface JobStore {
  /**
   * Stores a new job together with its idempotency key, or neither of them. The job's `createdAt` counts as the current
   * instant.
   * @param maxUnfinished how many unfinished jobs the owner may have with this one. A store that has `unfinished` counts
   *   them and inserts in one step, so that inserts of several processes never pass it together. A job with the same
   *   idempotency key comes first: the outcome is then `'duplicate'`. @default no limit
   * @param budgets what the owner's jobs may cost. A store that has `spending` adds up what is spent and reserved, and inserts
   *   the job in the same step if its `reservedMicroUsdOf` still fits into each of them, so that inserts of several processes
   *   never pass a budget together. A job with the same idempotency key comes first here too. @default no budget
   */
  insert(job: Job, maxUnfinished?: number, budgets?: readonly SpendingBudget[]): Promise<InsertOutcome>

  /** The job that has the idempotency key and has not expired at `now`; `undefined` if there is none. */
  findByIdempotencyKey(key: string, now: number): Promise<Job | undefined>

  /**
   * Finds a job, including one that has expired.
   * @param owner the owner who asks for the job; absent when the service itself reads the job. A store may compare the
   * owner before it reads the job, and return `undefined` for another owner's job. The answer then takes as long as
   * that for an unknown id, however large the job is. Other stores ignore `owner`: the service compares owners in any
   * case
   * @param inputs the inputs that this process has stored or read with this job before, so that the store need not read
   * them again. A store may ignore them. @default it reads them
   * @returns `undefined` when there is no such job
   */
  get(id: string, owner?: string, inputs?: JobInputs): Promise<Job | undefined>

  /**
   * Compare-and-set: stores the state of `job` if the stored job has the revision `expectedRevision`. The order of `job`
   * must be the stored one, without what later writes remove from it. A store that keeps `input` or `shownInput` apart from the
   * state does not write them again, and removes them when `isInputKept` or `isShownInputKept` says so.
   * @param budgets what the owner's jobs may cost, for an unfinished job that now reserves more. A store that has `spending`
   *   checks them as at `insert`, without what the stored job counts. @default no budget
   * @returns `'stale'` when the stored job has another revision or is gone; then nothing was written
   */
  replace(
    job: Job,
    expectedRevision: number,
    budgets?: readonly SpendingBudget[],
  ): Promise<'replaced' | 'stale' | OverBudget>

  /**
   * The ids of at most `limit` jobs that are due for a step: their `dueAt` is at or before `now`, and no claim on them
   * is live. This includes finished jobs. An instant more than `longestPauseMs` after `now` counts as past, because it
   * was written before the clock was put back. The jobs that have been due for longest come first,
   * counted from `dueAt`; a store may also count from the end of the last claim if that is later, and may take jobs that
   * became due within 5 seconds in any order.
   * @param skip how many of the jobs that have been due for longest to leave out. @default 0
   */
  due(now: number, limit: number, skip?: number): Promise<readonly string[]>

  /**
   * At most `limit` finished jobs that are to be deleted: their `deleteAt`, or `expiresAt` if they have no `deleteAt`,
   * is at or before `now`. Jobs with a step left are included. The order is free.
   */
  expired(now: number, limit: number): Promise<readonly Job[]>

  /**
   * Deletes the job and its idempotency key. Does nothing when there is no such job, or when it has another revision.
   * @param expectedRevision the revision at which the job is to be deleted. @default any
   */
  delete(id: string, expectedRevision?: number): Promise<void>

  /**
   * Registers `run`, which is called with each finished job that the store drops to make room, so that the service can
   * delete the job's files. The service calls this once, before any other method. A store without it drops no job.
   */
  onForgotten?(run: (job: Job) => void): void

  /**
   * Reads the ledger of costs, which outlives the jobs. A `replace` by which a job finishes also writes the job's
   * `costEntryOf`, in the same transaction; if the job continues and finishes again, the new entry replaces the old
   * one. `delete` leaves the entry as it is. A store without this method keeps no ledger.
   * @returns the entries that the query asks for, by `endedAt`, and by the job's id (UTF-8) among entries of the same
   * instant
   */
  costs?(query: CostQuery): Promise<readonly CostEntry[]>

  /**
   * Adds up the ledger in groups. A store keeps sums for each owner, key, model and UTC day, which change in the same
   * transaction as the entries, so that what a call costs grows with the number of days, models and keys, and with the entries
   * of a part of a day at either end, but not with the number of entries of whole days. Exact at every moment, like `costs`.
   * @returns one row for each group in which a job ended, by owner, day, model and key id, texts as UTF-8
   */
  dailyUsage?(query: UsageQuery): Promise<readonly UsageRow[]>

  /**
   * Lists jobs of one owner by their ids, the last id first. As the service's ids begin with the instant of the job's
   * creation, the newest job comes first. The cost must not grow with the number of jobs in the store. Jobs may come
   * without their `input`. A call returns fewer jobs than `limit` only at the end of the list, or when `maxLength` is
   * reached. A store without this method lists no jobs.
   * @returns the jobs that the query asks for, also those that have expired. Empty only if there is none
   */
  list?(query: JobQuery): Promise<readonly Job[]>

  /**
   * Lists jobs of all owners by their ids, the last id first, for operators. The cost must not grow with the number of finished
   * jobs in the store. Otherwise as `list`. A store without this method can't be looked through by operators.
   * @returns the jobs that the query asks for, also those that have expired. Empty only if there is none
   */
  listAll?(query: AllJobsQuery): Promise<readonly Job[]>

  /**
   * Finds the jobs whose task has this id at their vendor: their `taskIdOf`. The cost must not grow with the number of finished
   * jobs in the store.
   * @returns the ids of at most `limit` jobs, in any order
   */
  findByTaskId?(taskId: string, limit: number): Promise<readonly string[]>

  /**
   * Writes an entry of the audit log, which outlives all jobs. An entry with the same id takes the place of the earlier one, so
   * that its outcome can be added.
   */
  audit?(entry: AuditEntry): Promise<void>

  /**
   * Reads the audit log.
   * @returns the entries that the query asks for, the latest first: by `at`, and by `id` (UTF-8) among entries of the same
   * instant, both descending
   */
  auditEntries?(query: AuditQuery): Promise<readonly AuditEntry[]>

  /**
   * Lists the unfinished jobs of one owner. The cost must not grow with the number of finished jobs. The limit
   * `runningJobs` of the service needs this method.
   * @returns the ids of `limit` unfinished jobs of the owner, or of all if there are fewer, in any order
   */
  unfinished?(owner: string, limit: number): Promise<readonly string[]>

  /**
   * What one owner has spent and reserved, by each of these spans. A job that ends moves from the reserved to the spent sum in
   * one step: no reader sees it in both or in neither. The budgets of the service need this method.
   */
  spending?(owner: string, spans: readonly SpendingSpan[]): Promise<readonly SpendingSums[]>

  /**
   * Keeps a grant, which outlives all jobs, unless there is one with the same id.
   * @returns the grant that has the id now. The `balance` of the service needs this method
   */
  grant?(grant: Grant): Promise<Grant>

  /** Lists grants. @returns the grants that the query asks for, by `grantedAt`, and by `id` among grants of the same instant */
  grants?(query: GrantQuery): Promise<readonly Grant[]>

  /**
   * The number of bytes that one owner takes in the file store: the sum of the `bytes` of all outputs of the owner's
   * jobs and of the uploads that `noteUpload` has recorded, without the jobs and uploads whose `expiresAt` is at or before
   * `now`. The limit `storedBytes` of the service needs this method.
   */
  storedBytes?(owner: string, now: number): Promise<number>

  /**
   * Notes how many bytes an upload takes, in place of what was noted for the same `key` before; 0 bytes delete the note.
   * From then on they count in `storedBytes`, which every process sees. May also delete notes that have expired at the
   * instant `notedAt`. The limit `storedBytes` needs it where the service takes uploads.
   */
  noteUpload?(note: UploadNote): Promise<void>
}

/** Selects jobs of one owner for a list. Ids are compared character by character, as `<` compares ASCII texts. */
export interface JobQuery {
  /** The owner of the jobs. */
  readonly owner: string
  /** Only jobs with this id or a later one. @default all */
  readonly from?: string | undefined
  /** Only jobs with an earlier id. @default all */
  readonly before?: string | undefined
  /** The most jobs to return. */
  readonly limit: number
  /**
   * About how many characters the JSON of all returned jobs may have at most, without tasks. The first job is always
   * returned, however long it is.
   */
  readonly maxLength: number
}

/** Selects jobs of all owners for a list. Otherwise as {@link JobQuery}. */
export interface AllJobsQuery extends Omit<JobQuery, 'owner'> {
  /**
   * `owing`: finished jobs with a step left, because they owe a delivery or a copy of an output (`hasStepLeft`).
   * @default jobs in every state
   */
  readonly state?: 'unfinished' | 'completed' | 'failed' | 'owing' | undefined
}

/** The job store of a service, with the one place that hears of each write. */
export interface WatchedStore extends JobStore {
  /** Called with each job that this process has written. Never throws. @param before `undefined` for a new job */
  wrote(job: Job, before: Job | undefined): void
}
