import type { JobOutput, Setback } from '../contracts/job.ts'
import type { Json } from '../contracts/json.ts'
import type { FinalReport, TaskTokens } from '../contracts/provider-report.ts'
import type { DeliveryAttempt } from '../contracts/job-webhook.ts'
import type { JobFailure } from '../errors/error-codes.ts'

/** When a running task is polled next: at `dueAt`, and not before `earliestAt`. */
export interface NextPoll {
  readonly earliestAt: number
  readonly dueAt: number
}

/** An event in the life of a job, which `nextJob` applies. The diagram of all changes is there. */
export type JobEvent =
  /**
   * A step begins. An accepted job is about to be submitted by `route` to `provider`, as its model `providerModel`. `holder`: what is known about the
   * process of an earlier claim that has run out. `nextPoll`: when a running task is polled again if this poll brings no
   * news; then nothing more is written, and the claim runs out by itself.
   */
  | {
      readonly type: 'claim'
      readonly until: number
      readonly token: string
      readonly route?: string | undefined
      readonly provider?: string | undefined
      readonly providerModel?: string | undefined
      readonly holder?: 'alive' | 'ended' | undefined
      readonly nextPoll?: NextPoll | undefined
    }
  /** The process that holds the claim has ended. Ends the claim. */
  | { readonly type: 'freed' }
  /** Another process has taken the job over, but this one has the answer to the submit. It claims the job again. */
  | { readonly type: 'retaken'; readonly until: number; readonly token: string }
  /**
   * The step takes longer: prolongs the claim. `isSubmit`: a job that was submitted before is about to be submitted again.
   * `reservedUsd`: what the job reserves from now on, in US dollars. `handle`: that of a further submit that is about to begin.
   * `nextPoll`: as in `claim`.
   */
  | {
      readonly type: 'renew'
      readonly until: number
      readonly isSubmit?: true
      readonly reservedUsd?: number | undefined
      readonly handle?: Json | undefined
      readonly nextPoll?: NextPoll | undefined
    }
  /**
   * The provider has the task and is working on it. The next poll is at `dueAt`, and not before `earliestAt`. `until`: this
   * process claims that poll already, until then.
   */
  | {
      readonly type: 'running'
      readonly handle: Json
      readonly earliestAt: number
      readonly dueAt: number
      readonly until?: number | undefined
      readonly pollAfterMs?: number | undefined
      /** The outputs that the task has made so far, all of them stored. Absent when this report brings none. */
      readonly outputs?: readonly JobOutput[] | undefined
    }
  /** A callback contains the handle of a task whose submit has no stored answer. `report`: how the task has ended. */
  | { readonly type: 'adopted'; readonly handle: Json; readonly report?: FinalReport | undefined }
  /**
   * A callback says that there is news about a task. It is polled at `pollAt`, or after its submit if that is later.
   * `report`: how the task has ended.
   */
  | { readonly type: 'hinted'; readonly pollAt: number; readonly report?: FinalReport | undefined }
  /** Something that the input needs is awaited, such as an output of another job. It is looked for again at `retryAt`. */
  | { readonly type: 'awaiting'; readonly retryAt: number }
  /** The provider has not taken the task on. `nextRoute` is tried next, which does not count as a failed try. */
  | ({ readonly type: 'refused'; readonly retryAt: number; readonly nextRoute?: string | undefined } & Reason)
  /** The provider does not know the task at this moment, or perhaps nobody has its handle. No failed try. */
  | ({ readonly type: 'unknown'; readonly retryAt: number } & Reason)
  /**
   * The step changed nothing: its outcome is unknown, there was no news, or the file store failed. `isWait`: the step waits
   * for another process, which does not count as a failed try.
   */
  | ({ readonly type: 'postponed'; readonly retryAt: number; readonly isWait?: true } & Reason)
  /**
   * The service closes, and has ended the step before it had an outcome. This does not count as a failed try: the next
   * process may begin the same step at once. `outputs`: those of a completed job, some of which may have been copied.
   */
  | { readonly type: 'interrupted'; readonly outputs?: readonly JobOutput[] }
  /** The provider has finished. If its outputs are still to be stored, the claim stays. */
  | {
      readonly type: 'succeeded'
      readonly outputs: readonly JobOutput[]
      /** Absent when the cost is unknown. */
      readonly costUsd: number | undefined
      readonly inferenceMs?: number | undefined
      readonly tokens?: TaskTokens | undefined
      /** Present when the outputs are stored already: the job completes, as with `collected`. */
      readonly collected?: { readonly copyAt?: number | undefined }
    }
  /** The outputs are stored: bytes in the file store, links in the job. `copyAt`: when to begin to copy the links. */
  | {
      readonly type: 'collected'
      readonly outputs: readonly JobOutput[]
      readonly copyAt?: number | undefined
    }
  /**
   * Outputs of a completed job were copied into the file store, or no process has the provider of a failed job yet.
   * `retryAt`: when to try again.
   */
  | { readonly type: 'copied'; readonly outputs: readonly JobOutput[]; readonly retryAt?: number | undefined }
  /** A try of the delivery that is owed begins. No other try may begin before `until`. */
  | { readonly type: 'delivering'; readonly token: string; readonly until: number }
  /** The delivery has arrived. */
  | { readonly type: 'delivered'; readonly token: string; readonly attempt: DeliveryAttempt }
  /**
   * The delivery has not arrived. It is tried again at `retryAt`, or never if `retryAt` is absent. Without `attempt`,
   * the service is closing and has ended the try before its outcome.
   */
  | {
      readonly type: 'undelivered'
      readonly token: string
      readonly attempt?: DeliveryAttempt | undefined
      readonly retryAt?: number | undefined
    }
  /** An operator asks to deliver the webhook of the finished job again. */
  | { readonly type: 'owed' }
  /** The owner asks to cancel the job. */
  | { readonly type: 'cancelAsked' }
  /** The owner deletes the finished job and its files. From then on no client can read it. */
  | { readonly type: 'deleted' }
  /** The files of a deleted job are gone. Only its idempotency key is kept, until the row is deleted. */
  | { readonly type: 'emptied' }
  /** An expired job can't be deleted yet: its files could not be deleted, or a process may still store one. */
  | { readonly type: 'undeletable'; readonly retryAt: number }
  /** `lookAt`: when to look whether the job can continue, because no process has its provider at the moment. */
  | {
      readonly type: 'failed'
      readonly code: JobFailure
      readonly message: string
      /** See `error` of the job. */
      readonly detail?: string | undefined
      readonly costUsd?: number | undefined
      readonly lookAt?: number
    }
  /** This process has the provider for want of which the job failed. The job continues. */
  | { readonly type: 'resumed' }

export type EventType = JobEvent['type']

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<JobEvent, { readonly type: Type }>

/** The reason of a failed try, which its event carries for the owner. */
type Reason = { readonly why?: Setback['why'] | undefined }
