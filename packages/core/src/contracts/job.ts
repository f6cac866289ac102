import type { JobFailure } from '../errors/job-failures.ts'
import type { Json, JsonObject } from './json.ts'
import type { OutputKind } from './provider.ts'

/** Where a job stands. The first four are `processing` to the outside; the diagram is in `job-machine.ts`. */
export type JobPhase = 'accepted' | 'submitting' | 'running' | 'collecting' | 'completed' | 'failed'

/**
 * An output of a job: `fileKey` where the file store keeps it, else the provider's `url`. There for good once the job
 * has completed, when a `url` can still become a `fileKey`; before, and in a job that has failed, what the provider has
 * told of.
 */
export interface JobOutput {
  readonly fileKey?: string
  readonly url?: string
  readonly contentType?: string
}

/**
 * A generation job: an immutable value of JSON, changed only by `job-machine.ts`. Instants are milliseconds since the
 * Unix epoch, durations milliseconds, money US dollars.
 */
export interface Job {
  readonly id: string
  /** Whom the bearer token stood for; only this owner can read the job. */
  readonly owner: string
  readonly model: string
  readonly outputKind: OutputKind
  readonly phase: JobPhase
  /** Counts the writes. A write names the revision that it replaces, so that a late writer is refused. */
  readonly revision: number
  /** What the provider gets. Dropped when the job finishes, unless it ended as `submit_ambiguous`. */
  readonly task?: JsonObject
  /** What the owner is shown: the task with a placeholder for each data URI. */
  readonly input: JsonObject
  readonly clientToken: string
  /**
   * Which of its model's routes the job is submitted by, written before the provider is called; of an accepted job, which
   * is next. Absent for a model with one provider.
   */
  readonly route?: string
  /** Set while the job's idempotency key is known; the fingerprint tells whether the body is the same. */
  readonly idempotency?: { readonly key: string; readonly fingerprint: string }
  readonly retentionDays: number
  readonly createdAt: number
  readonly expiresAt: number
  /** When an unfinished job is given up. */
  readonly deadlineAt: number
  /**
   * When the latest submit was begun: the instant of the claim for it, before the provider was called. Absent until then,
   * and again after the provider has refused the task.
   */
  readonly startedAt?: number
  readonly completedAt?: number
  /** When the job was last written. Tells whether the clock has been set since. Absent in jobs of earlier releases. */
  readonly updatedAt?: number
  /** When to try again to delete an expired job whose files could not be deleted. Not shown to anybody. */
  readonly deleteAt?: number
  /** When the provider last said something about the task. */
  readonly checkedAt?: number
  /** When the scheduler takes the next step. Absent when none is left: a finished job may still have outputs to copy. */
  readonly dueAt?: number
  /** Before this no step may be taken, whoever asks. Never after `dueAt`. */
  readonly earliestAt?: number
  /** A step is under way, and no other may begin until this instant. */
  readonly claimedUntil?: number
  /**
   * Drawn at random for each claim and left behind by it: tells whose write the stored one is. Begins with the process's
   * id and a colon where the backend has `processes`.
   */
  readonly claimToken?: string
  /** The token of the claim under which the latest submit was begun, while it matters what became of that. */
  readonly submitToken?: string
  /** How many claims in a row ran out instead of being given up, because their holders died. Absent for none. */
  readonly abandonedClaims?: number
  /** A callback has told of news since the provider was last asked. */
  readonly isHinted?: boolean
  /** Since when, and how many times in a row, the provider has said that it does not know the task. */
  readonly unknown?: { readonly since: number; readonly count: number }
  /** Failed tries since the job last moved on. */
  readonly attempts: number
  readonly handle?: Json
  readonly outputs: readonly JobOutput[]
  readonly costUsd: number
  readonly inferenceMs: number
  readonly error?: { readonly code: JobFailure; readonly message: string }
}
