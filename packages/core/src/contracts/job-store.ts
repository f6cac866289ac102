import type { Job } from './job.ts'

/**
 * What became of an insert: stored, or refused because a job that has not expired holds the same idempotency key, or
 * because there is no room that finished jobs could make.
 */
export type InsertOutcome =
  | { readonly outcome: 'inserted' }
  | { readonly outcome: 'duplicate'; readonly job: Job }
  | { readonly outcome: 'full' }

/**
 * Where jobs live: the truth. Scheduler and signals may forget, a store may not. A fault (disk, network) is thrown;
 * everything else is a value. Jobs go in and come out as equal values: to change
 * one in place either throws or changes nothing that is stored.
 */
export interface JobStore {
  /** Stores a new job together with its idempotency key, or neither. The job's `createdAt` counts as now. */
  insert(job: Job): Promise<InsertOutcome>

  /** The job that holds the idempotency key and has not expired at `now`, or `undefined`. */
  findByIdempotencyKey(key: string, now: number): Promise<Job | undefined>

  /**
   * The job, even if it has expired, or `undefined`. `owner`: who asks for it, where somebody does. A store that compares
   * owners before it reads the job answers `undefined` for a job of somebody else, so that a foreign job takes as long as
   * an unknown one, however large it is. Other stores ignore it: whoever asks compares owners, too.
   */
  get(id: string, owner?: string): Promise<Job | undefined>

  /**
   * Compare-and-set: stores `job` if the stored revision is `expectedRevision`.
   * @returns `'stale'` when it is another one or the job is gone; then nothing was written
   */
  replace(job: Job, expectedRevision: number): Promise<'replaced' | 'stale'>

  /**
   * Ids of jobs to take a step on, finished ones with a step left too: `dueAt` has come and no claim is live. An instant
   * more than `longestPauseMs` ahead counts as come: it was written before the clock was put back. Longest due first.
   */
  due(now: number, limit: number): Promise<readonly string[]>

  /**
   * Finished jobs to delete: `deleteAt`, or where there is none `expiresAt`, has come, with or without a step left. In any
   * order.
   */
  expired(now: number, limit: number): Promise<readonly Job[]>

  /** Forgets the job and its idempotency key. Deleting an unknown id does nothing. */
  delete(id: string): Promise<void>

  /**
   * Tells `run` of each finished job that the store forgets by itself to make room, so that its files can be deleted too.
   * A store without it forgets no job. Called once, before any other method.
   */
  onForgotten?(run: (job: Job) => void): void
}
