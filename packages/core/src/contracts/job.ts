import type { JobFailure } from '../errors/error-codes.ts'
import type { Json, JsonObject } from './json.ts'
import type { FinalReport, TaskTokens } from './provider-report.ts'
import type { OutputKind } from './provider.ts'
import type { JobWebhook } from './job-webhook.ts'

/**
 * The phase of a job. Clients see the first four as the status `processing`. The diagram of all changes is in
 * `job-machine.ts`.
 */
export type JobPhase = 'accepted' | 'submitting' | 'running' | 'collecting' | 'completed' | 'failed'

/**
 * One output of a job. It has a `fileKey` when the file store keeps it, otherwise the provider's `url`. In a completed
 * job the outputs are final, except that a `url` becomes a `fileKey` when the output has been copied. In a job that is
 * not completed, the outputs are those that the provider has reported so far.
 */
export interface JobOutput {
  /** The key of the file in the file store. */
  readonly fileKey?: string
  /** The https URL at which the provider keeps the file. */
  readonly url?: string
  /** The media type, such as `image/png`. Absent when it is not known. */
  readonly contentType?: string
  /**
   * The size of the file in the file store, in bytes. Absent until the file store has the output, and in jobs of
   * earlier releases. Not shown to clients.
   */
  readonly bytes?: number
  /** The prompt from which the vendor has made this output. Absent when the vendor does not say that it has rewritten it. */
  readonly revisedPrompt?: string
  /**
   * What a plugin has read of the file when it was stored: see `PluginHooks.readOutput`. Absent without such a plugin, and while
   * the output is at the provider.
   */
  readonly facts?: JsonObject
}

/**
 * Why the latest try of a step failed, and when. `busy`: the provider refused the call for now. `unreached`: no
 * connection was made. `no_answer`: the call failed or its answer was not valid. `account`: the provider does not
 * accept the account of this service, or does not have the model. `unknown_task`: the provider did not know the task.
 * `no_output`: the provider reported a finished task without any output. `files`: the file store could not store the
 * outputs or read an upload. `input`: another job, whose output the input refers to, had not finished.
 */
export interface Setback {
  /** The reason. */
  readonly why:
    | 'busy'
    | 'unreached'
    | 'no_answer'
    | 'account'
    | 'unknown_task'
    | 'no_output'
    | 'files'
    | 'input'
  /** The instant at which the try ended. */
  readonly at: number
}

/** The parts of an order that may be large: as large as the body of a request. */
export interface JobInputs {
  /** The validated input, which the provider gets. Removed when it is no longer needed, see {@link isInputKept}. */
  readonly input?: JsonObject
  /** The input as the owner sees it: `input` with a short placeholder for each data URI and each very long text. */
  readonly shownInput: JsonObject
}

/**
 * What the client has ordered. It is written once, when the job is stored, and never changed. A later write can only remove
 * parts of it: `input` when no submit needs it any more, and everything that comes from the client when its owner deletes
 * the job.
 */
export interface JobOrder extends JobInputs {
  /** Begins with `gen_`. It can't be guessed. */
  readonly id: string
  /** The owner of the bearer token of the create request. Only this owner can read the job. Empty in a deleted job. */
  readonly owner: string
  /** The id of the key of the create request, as `authenticate` names it. Absent when it names none. Never the key itself. */
  readonly keyId?: string
  /** The id of the model in the client's request. */
  readonly model: string
  /** Whether the job makes images or videos. */
  readonly outputKind: OutputKind
  /** The metadata that the client has set. Providers never get it. Absent when the client has set none. */
  readonly metadata?: Readonly<Record<string, string>>
  /** A random UUID that the provider gets with each submit of this job, so that it can recognise a repeated submit. */
  readonly clientToken: string
  /** The idempotency key of the create request. Absent when the request had none. */
  readonly idempotency?: {
    /** The key together with its owner and scope, as JSON. */
    readonly key: string
    /**
     * The SHA-256 of model, input, metadata and webhook in hexadecimal: shows whether a later request with the same key
     * has the same body.
     */
    readonly fingerprint: string
  }
  /**
   * How many seconds of output the input orders, all outputs together. Absent when the price of the model was not by the second,
   * or the input does not say how many.
   */
  readonly seconds?: number
  /** For how many days of 24 hours the job and its outputs are kept. */
  readonly retentionDays: number
  /** When the job was accepted. */
  readonly createdAt: number
}

/**
 * A claim: the right of one process to take a step of a job. Of a claim that was given up, only the `token` stays. A claim
 * that has run out keeps its `until`.
 */
export interface JobClaim {
  /**
   * A random text. It shows under which claim a stored job was written. Begins with the id of the process and a colon if
   * the backend has `processes`. Absent in a claim that was ended because its process has ended.
   */
  readonly token?: string | undefined
  /** No other process may begin a step until this instant. Absent when the claim was given up. */
  readonly until?: number | undefined
  /**
   * `true` when the claim was made for a poll, and nothing has been written since: the poll is still under way, or brought
   * no news. Such a claim runs out by itself.
   */
  readonly isQuiet?: true | undefined
  /** How many processes in a row had died while they held the claims before this one. Absent when it is 0. */
  readonly deaths?: number | undefined
}

/** What has become of an order: all that a write to a stored job changes. */
export interface JobState {
  /** The phase of the job. */
  readonly phase: JobPhase
  /** The number of writes. Each write names the revision that it replaces, and is refused if there is a newer one. */
  readonly revision: number
  /**
   * The webhook that notifies the client when the job has finished, with its deliveries. Absent when the client wants
   * none.
   */
  readonly webhook?: JobWebhook
  /**
   * The name of the route by which the job is submitted, stored before the provider is called. In an `accepted` job,
   * the route that is tried next. Absent for a model with one provider.
   */
  readonly route?: string
  /**
   * The names of the routes in the order in which they are tried for this job; routes without a place follow as they are
   * declared. Absent when the model has no `order`.
   */
  readonly routeOrder?: readonly string[]
  /**
   * The name of the provider that got the latest submit. No other provider is asked about that submit. Absent before the
   * first one, and in jobs of earlier releases.
   */
  readonly provider?: string
  /**
   * The id by which that provider knows the model. Absent when it is `model`, and in jobs of earlier releases.
   */
  readonly providerModel?: string
  /**
   * When the job expires: `createdAt` plus `retentionDays`. From then on no client can read the job. 0 in a job that
   * its owner has deleted, so that the job stays hidden even if the clock is put back.
   */
  readonly expiresAt: number
  /** The instant at which an unfinished job fails as `deadline_exceeded`. */
  readonly deadlineAt: number
  /**
   * When the latest submit began: the instant of the claim, before the provider was called. Absent before the first
   * submit, and again after the provider has refused the task.
   */
  readonly startedAt?: number
  /** When the job completed or failed. Absent until then. */
  readonly completedAt?: number
  /**
   * When the owner first asked to cancel the job. The job then ends as soon as its provider has ended the task. Absent
   * if the owner has not asked.
   */
  readonly cancelAskedAt?: number
  /** When the job was last written. Shows whether the clock has been set since. Absent in jobs of earlier releases. */
  readonly updatedAt?: number
  /** When the owner deleted the job. Absent otherwise. */
  readonly deletedAt?: number
  /**
   * When to delete an expired or deleted job whose row must stay: some of its files could not be deleted, or it was deleted
   * and keeps its idempotency key for a day. Not shown to clients.
   */
  readonly deleteAt?: number
  /** When the provider last reported on the task. Absent until the first report. */
  readonly checkedAt?: number
  /**
   * When the scheduler takes the next step. Absent when no step is left. A finished job has a step left while outputs
   * have to be copied, or while it owes a delivery (`webhook.dueAt`).
   */
  readonly dueAt?: number
  /**
   * No step may begin before this instant, whether the scheduler or a client asks for it. Never later than `dueAt`,
   * except in a finished job: there it is the instant of the next copying of outputs, and absent when there is nothing
   * to copy.
   */
  readonly earliestAt?: number
  /** The latest claim on the job. Absent before the first one. */
  readonly claim?: JobClaim | undefined
  /**
   * The `token` of the claim under which the latest submit began. It is kept while the outcome of that submit
   * matters, and until the process that has made the claim reports that the submit is over.
   */
  readonly submitToken?: string
  /**
   * The pause before the next poll that the provider has asked for, in milliseconds. Absent if it has asked for none.
   */
  readonly pollAfterMs?: number
  /**
   * How the task has ended, as a verified callback says. The next step uses it unless the provider's answer to the poll
   * is better. Absent before such a callback, and in a job that has its outputs or has failed.
   */
  readonly reported?: FinalReport
  /** `true` if a callback has announced news since the latest poll. */
  readonly isHinted?: boolean
  /** Present while the provider reports that it does not know the task. */
  readonly unknown?: {
    /** When the provider first reported this. */
    readonly since: number
    /** How many times in a row it has reported this. */
    readonly count: number
  }
  /** The latest failed try. Absent if no try has failed since a step last succeeded, and in a finished job. */
  readonly setback?: Setback
  /** How many tries have failed since a step last succeeded. */
  readonly attempts: number
  /** The `handle` of the provider's last `running` report, by which the provider finds the task again. */
  readonly handle?: Json
  /** The outputs, in the provider's order. Empty until the provider has finished. */
  readonly outputs: readonly JobOutput[]
  /** What the job has cost, as the provider reports it; 0 until then, and if the cost is unknown. */
  readonly costUsd: number
  /**
   * `true` when `costUsd` is what the job has cost, because the provider has reported it, or because no provider has
   * taken the job on. Absent until then, and if the cost is unknown.
   */
  readonly isCostKnown?: true
  /**
   * What the job counts in the budget of its owner while its cost is unknown, in US dollars: its price, reserved when the job
   * was accepted. Absent when the owner had no budget then.
   */
  readonly reservedUsd?: number
  /**
   * `true` when the job has ended before and now continues: what it counts in the budget of its owner is in its entry of the
   * ledger, until it ends again. Absent in a job without `reservedUsd`.
   */
  readonly isInLedger?: true
  /**
   * How long the provider worked on the task in milliseconds: as the provider reports it, otherwise the time that has
   * passed since the submit began, however the clock was set meanwhile. 0 until the provider has finished.
   */
  readonly inferenceMs: number
  /** The tokens that the vendor has counted for the task. Absent until the provider has finished, and if it reports none. */
  readonly tokens?: TaskTokens | undefined
  /** Why the job failed. Present only in a job that has failed. */
  readonly error?: {
    /** The reason. */
    readonly code: JobFailure
    /** The reason in words, shown to the owner. */
    readonly message: string
    /**
     * What the log says besides, for operators only: the HTTP status of the vendor's answer and the cause, in at most 500
     * characters and without credentials. Absent when there is neither, and in jobs of earlier releases.
     */
    readonly detail?: string
  }
}

/**
 * A generation job: an order and its state. It is an immutable JSON value, and only `job-machine.ts` makes new ones of
 * it. Instants (`At`, `Until`) are milliseconds since the Unix epoch, durations (`Ms`) are milliseconds, and money (`Usd`)
 * is US dollars. A field that is absent may also be there with the value `undefined`, which JSON leaves out.
 */
export interface Job extends JobOrder, JobState {}

/** A job has entered a phase, and the store has recorded this. */
export interface JobTransition {
  /** Different for each transition of each job. */
  readonly id: string
  /** The phase that the job has left. Absent when the job is new. */
  readonly from?: JobPhase
  /** The phase that the job is in. */
  readonly to: JobPhase
  /** When it was written, in milliseconds since the Unix epoch. */
  readonly at: number
  /** The job as it was written. */
  readonly job: Job
}
