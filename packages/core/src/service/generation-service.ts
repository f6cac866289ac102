import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { CostEntry, CostQuery } from '../contracts/cost-entry.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { CallbackRequest, Model, OutputKind, Provider } from '../contracts/provider.ts'
import type { RoutedModel } from '../routing/route-model.ts'
import type { ServiceHealth } from './read-health.ts'

/** A request for a new job. */
export interface JobRequest {
  /** For whom the bearer token stands. Only this owner will be able to read the job. */
  readonly owner: string
  /** The id of the model. */
  readonly model: string
  /** The body without `model`, not validated yet. */
  readonly input: Readonly<Record<string, unknown>>
  /** The only kind of output that is accepted; other models are refused as `wrong_output_kind`. @default every kind */
  readonly outputKind?: OutputKind | undefined
  /** The idempotency key of the request. @default none: each request creates a job */
  readonly idempotency?: IdempotencyRequest | undefined
}

/** An idempotency key. It is unique within an owner and a scope: the same key in another scope is another key. */
export interface IdempotencyRequest {
  /** The key that the client has sent. */
  readonly key: string
  /** Where the key is valid. The /v1 interface uses the route of the request. */
  readonly scope: string
}

/** The options of {@link createGenerationService}. */
export interface GenerationServiceOptions {
  /** The providers that make the media, and the models that several providers serve (`routeModel`). */
  readonly providers: readonly (Provider | RoutedModel)[]
  /** Keeps the jobs and wakes them. @default `memoryBackend()`, which loses the jobs when the process ends */
  readonly backend?: Backend | undefined
  /** Keeps the outputs. @default `memoryFileStore()`, which loses them when the process ends */
  readonly files?: FileStore | undefined
  /**
   * Takes output bytes that `files` does not take for the moment, so that they survive the process: for example
   * `diskFiles` on another disk than `files`, or beside a bucket. They are moved into `files` as soon as possible.
   * Without a spool they are only held in memory meanwhile. @default none
   */
  readonly spool?: FileStore | undefined
  /**
   * How many bytes of outputs that `files` does not take are held in memory, over all jobs. While more than half of
   * this is used, no new jobs are submitted. @default 268435456 (256 MiB)
   */
  readonly maxHeldBytes?: number | undefined
  /**
   * What to do with outputs that a provider gives as links. Providers delete such files after about an hour. `mirror`:
   * after the job has completed, the outputs are copied into `files`, and until then clients are sent to the provider's
   * link; a copy that fails is tried again for about four hours. `redirect`: clients are always sent to the provider's
   * link.
   * @default 'mirror' if `files` has `fetch`, otherwise 'redirect'
   */
  readonly keepOutputs?: 'mirror' | 'redirect' | undefined
  /** The largest output that is copied, in bytes. @default 2147483648 (2 GiB) */
  readonly maxOutputBytes?: number | undefined
  /** For how many days of 24 hours a job and its outputs are kept: a whole number from 1 to 3650. @default 7 */
  readonly retentionDays?: number | undefined
  /** How long a job may take before it fails as `deadline_exceeded`, in milliseconds. @default 1800000 (30 minutes) */
  readonly deadlineMs?: number | undefined
  /** How long `waitFor` waits at the most, in milliseconds. @default 55000 */
  readonly waitBudgetMs?: number | undefined
  /** How many calls of `waitFor` may wait at the same time. Further calls return at once. @default 10000 */
  readonly maxWaiters?: number | undefined
  /**
   * How many of the `maxWaiters` places one owner keeps when others need places. While places are free, an owner may
   * take all of them. When none is free and another owner has less than its share, the longest waiting call of an owner
   * who has more than its share returns at once. @default a quarter of `maxWaiters`, rounded up
   */
  readonly maxWaitersPerOwner?: number | undefined
  /**
   * The public URL at which the /v1 interface is mounted, such as `https://app.example/media`. With it, providers that
   * have `readCallback` ask their vendors for callbacks. While the callbacks arrive, these providers are polled less
   * often.
   * @default none: there are no callbacks, and every provider is polled
   */
  readonly callbackBaseUrl?: string | undefined
  /**
   * What to do when nobody knows whether a provider has taken a task on: `fail` fails the job as `submit_ambiguous`,
   * `resubmit` submits the task again, which may be paid for twice. @default 'fail'
   */
  readonly onAmbiguousSubmit?: 'fail' | 'resubmit' | undefined
  /**
   * Called before a job is stored. To refuse the job, throw a `GenerationError`, for example with the code
   * `insufficient_quota`, `model_not_allowed` or `too_many_running_jobs`. It may take up to 60 seconds.
   * @default every valid job is admitted
   */
  readonly admit?: ((admission: Admission) => void | Promise<void>) | undefined
  /**
   * How many unfinished jobs one owner may have. Further jobs are refused as `too_many_running_jobs`. Each process
   * counts the jobs that it has accepted or read for a step. @default 1000
   */
  readonly maxRunningJobsPerOwner?: number | undefined
  /**
   * Called after it is stored that a job has completed or failed, in the process that has stored it. Together with
   * `admit` it can count the unfinished jobs of an owner. It is not called if the process dies just then. If a job that
   * failed as `submit_ambiguous` goes on, because its provider calls back or the answer to its submit arrives, it is
   * called again at the job's new end. What it throws goes to `log`.
   * @default nothing is called
   */
  readonly onJobEnd?: ((job: Job) => void | Promise<void>) | undefined
  /** Gives all instants and delays of the service. @default `systemClock()` */
  readonly clock?: Clock | undefined
  /** Receives what the service reports to its operator and not to its clients. @default `console` */
  readonly log?: Log | undefined
}

/** A valid job that is about to be stored. */
export interface Admission {
  /** For whom the bearer token stands. */
  readonly owner: string
  /** The model that is to make the job. */
  readonly model: Model
  /** The validated input. */
  readonly input: object
}

/** The job service: everything that the /v1 interface needs, without HTTP. */
export interface GenerationService {
  /** The models that clients can ask for. */
  readonly models: readonly Model[]
  /** The clock of the service. */
  readonly clock: Clock
  /** The file store with the outputs. */
  readonly files: FileStore
  /** The log of the service. It never throws. */
  readonly log: Log
  /** How long `waitFor` waits at the most, in milliseconds. */
  readonly waitBudgetMs: number
  /**
   * Whether `close` has been called. Then no job is created. Jobs can be read, and callbacks are written to them, until
   * the job store is closed.
   */
  readonly isClosing: boolean

  /**
   * Opens the backend, and checks the file stores and the providers, so that a server can refuse to start before it
   * listens. Takes 10 seconds at most. It neither takes up jobs nor is it required: without it, parts open at their
   * first use. May be called again, for example once the reason is gone.
   * @throws Error with one line for each part that is not ready: which part, what is wrong, and what to do. It is for
   *   the operator, not for clients
   * @throws GenerationError `shutting_down` after `close`
   */
  ready(): Promise<void>

  /**
   * Takes up unfinished jobs and begins the sweep. Every other method except `ready`, `health` and `close` calls it, too.
   * @throws GenerationError `shutting_down` after `close`
   */
  start(): void

  /**
   * How the service is, for the health route of a load balancer and for operators. Takes little more than 2 seconds,
   * never rejects, and may be called at any time and as often as you like: the store is read at most once a second. It
   * does not start the service.
   * @example const { status } = await service.health()
   */
  health(): Promise<ServiceHealth>

  /**
   * Validates, admits and stores a job, and starts it. The job that is returned is in the store.
   * @returns the job; `replayed` is `true` if it is an earlier job with the same idempotency key and body
   * @throws GenerationError whose code says why there is no job. Then nothing was spent
   */
  create(request: JobRequest): Promise<{
    /** The stored job. */
    readonly job: Job
    /** Whether it is an earlier job with the same idempotency key and body. */
    readonly replayed: boolean
  }>

  /**
   * Reads the owner's job. If the provider may be polled now, waits up to 2 seconds for the answer of the poll. Never
   * fails because a provider does.
   * @throws GenerationError `job_not_found`, which is the same for unknown and expired jobs and those of other owners
   */
  get(id: string, owner: string): Promise<Job>

  /**
   * Waits until the owner's job has finished. The host process does not end by itself meanwhile.
   * @returns the finished job. If the budget runs out, the caller disconnects, too many calls wait already or the
   *   service closes: the job as it is then
   * @throws GenerationError `job_not_found`
   */
  waitFor(id: string, owner: string, options?: WaitOptions): Promise<Job>

  /**
   * Cancels the owner's job. A job that is not submitted yet fails as `canceled` at once, and has certainly cost nothing.
   * In a later job the wish is written down: no submit begins any more, and the provider is asked to end the task, again
   * and again until it has, at the latest until the job's deadline. Waits up to 2 seconds for that. The job then fails as
   * `canceled`, with the cost that the provider reports. If the task finishes first, the job completes. If the provider
   * can't cancel tasks, the job fails at once, and nobody knows its cost. May be called again, with the same effect.
   * @returns the job as it is then; it may still be processing, and it may have completed
   * @throws GenerationError `job_finished` when the job had finished before; `job_not_found`
   * @example const { phase } = await service.cancel(job.id, 'alice')
   */
  cancel(id: string, owner: string): Promise<Job>

  /**
   * Deletes the owner's finished job with its files. From then on nobody is shown the job, its idempotency key is free,
   * and only the ledger of costs knows of it. Waits up to 2 seconds for the file store; files that can't be deleted by
   * then are deleted later, as those of expired jobs.
   * @throws GenerationError `job_processing` when the job has not finished; `job_not_found`
   * @example await service.delete(job.id, 'alice')
   */
  delete(id: string, owner: string): Promise<void>

  /**
   * Takes a callback of a provider. It causes a poll, in which the provider is asked for the state of the task. The
   * handle that the callback brings is used if the answer to the submit was lost.
   * @param request the callback, or a function that reads it. The function is called only when `address` is known to be
   *   the job's, so that nobody else can make the service read a body
   * @param address the provider and token in the callback's URL. Leave it out only if you have verified in another way
   *   to which job the callback belongs
   * @returns whether the callback is genuine. A callback that is not has changed nothing
   * @throws what the function throws, or GenerationError `store_unavailable` when the callback can't be stored
   */
  receiveCallback(
    jobId: string,
    request: CallbackRequest | (() => Promise<CallbackRequest>),
    address?: CallbackAddress,
  ): Promise<boolean>

  /**
   * Reads what an owner's jobs have cost, from a ledger that outlives the jobs, in pages. Unknown costs are left out of
   * the entries, so they do not look like 0.
   * @example const { entries, next } = await service.costs({ owner: 'alice', from, to })
   * @throws TypeError when the request is wrong; Error when the backend keeps no ledger; GenerationError
   *   `store_unavailable`
   */
  costs(request: CostRequest): Promise<CostPage>

  /**
   * Closes the service. All calls of `waitFor` return, submits under way are written down, outputs in memory are
   * stored, and nothing is held open afterwards. Whatever hangs, this takes at most `timeoutMs` and 700 ms more: when
   * the time is nearly up, submits under way are aborted, nobody is waited for any longer, and the log and the result
   * say what is not done. May be called twice, and before `start`; the first call decides.
   * @returns what was left undone
   * @throws TypeError when `timeoutMs` is wrong
   */
  close(options?: CloseOptions): Promise<CloseResult>
}

/** What `GenerationService.close` has left undone. Both lists are empty if the service closed in time. */
export interface CloseResult {
  /**
   * The ids of the jobs on which a step was cut short. With a durable backend the next start continues them as after a
   * crash: it looks for a submit without an answer, and submits again only what can't be paid for twice. Jobs between
   * two steps are not listed; they continue at the next start in any case.
   */
  readonly leftJobs: readonly string[]
  /**
   * What could not be closed, because it failed or took too long: `scheduler`, `provider <name>`, `file store`,
   * `spool`, `signals`, `backend`. The log has the errors. Such a part may still hold something open.
   */
  readonly unclosed: readonly string[]
}

/** Which costs to read. Instants are milliseconds since the Unix epoch. */
export interface CostRequest extends Omit<CostQuery, 'limit'> {
  /** How many entries one page has at the most: a whole number from 1 to 1000. @default 100 */
  readonly limit?: number | undefined
}

/** One page of an owner's costs. */
export interface CostPage {
  /** One entry for each job that ended from `from` to before `to`, the earliest end first. */
  readonly entries: readonly CostEntry[]
  /** The `after` of the next page. Absent when this page is the last one. */
  readonly next?: CostQuery['after']
}

/** The options of `GenerationService.close`. */
export interface CloseOptions {
  /**
   * How long closing may take, in milliseconds. Choose less than the host gives a process to end. @default 90000
   */
  readonly timeoutMs?: number | undefined
}

/** The parts of a callback's URL that show to which job the callback belongs. */
export interface CallbackAddress {
  /** The name of the provider. */
  readonly provider: string
  /** The secret token. */
  readonly token: string
}

/** The options of `GenerationService.waitFor`. */
export interface WaitOptions {
  /** How long to wait, in milliseconds. At most the service's `waitBudgetMs` counts. @default `waitBudgetMs` */
  readonly budgetMs?: number | undefined
  /**
   * Registers a listener that is to be called when the caller disconnects, and returns a function that removes the
   * listener.
   * @default the caller does not disconnect
   */
  readonly onLeave?: ((leave: () => void) => () => void) | undefined
}
