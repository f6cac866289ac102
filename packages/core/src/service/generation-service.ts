import type { Backend } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { CallbackRequest, Model, OutputKind, Provider } from '../contracts/provider.ts'
import type { RoutedModel } from '../routing/route-model.ts'

/** A job that somebody asks for. */
export interface JobRequest {
  readonly owner: string
  readonly model: string
  /** The body without `model`, not validated yet. */
  readonly input: Readonly<Record<string, unknown>>
  /** Refuse a model that makes something else with `wrong_output_kind`. @default any kind will do */
  readonly outputKind?: OutputKind | undefined
  readonly idempotency?: IdempotencyRequest | undefined
}

/** The client's key within its scope: one owner's same key in another scope is another key. */
export interface IdempotencyRequest {
  readonly key: string
  readonly scope: string
}

export interface GenerationServiceOptions {
  /** Who makes the media, and models that several of them serve. */
  readonly providers: readonly (Provider | RoutedModel)[]
  /** @default `memoryBackend()`: jobs are lost with the process */
  readonly backend?: Backend | undefined
  /** Where outputs are kept. @default `memoryFileStore()` */
  readonly files?: FileStore | undefined
  /**
   * Takes output bytes that `files` does not take for the moment, so that they survive the process: for example
   * `diskFiles` on another disk, or beside a bucket. They are moved into `files` as soon as that takes them. Without it they
   * are held in memory meanwhile. @default none
   */
  readonly spool?: FileStore | undefined
  /**
   * How many bytes of outputs that `files` does not take are held in memory, together. While more than half of it is used,
   * no new jobs are submitted. @default 268435456 (256 MiB)
   */
  readonly maxHeldBytes?: number | undefined
  /**
   * What becomes of outputs that a provider gives as links, which it deletes after an hour or so. `mirror`: once the job
   * has completed they are copied into `files`, and until then clients are sent to the provider's link; a copy that
   * fails is tried again for some four hours. `redirect`: clients are sent to the provider's link for good.
   * @default 'mirror' when `files` can `fetch`, else 'redirect'
   */
  readonly keepOutputs?: 'mirror' | 'redirect' | undefined
  /** How large an output may be to be copied, in bytes. @default 2147483648 (2 GiB) */
  readonly maxOutputBytes?: number | undefined
  /** Whole days for which a job and its outputs are kept, 1 to 3650. @default 7 */
  readonly retentionDays?: number | undefined
  /** How long a job may take before it is given up, in milliseconds. @default 1800000 (30 minutes) */
  readonly deadlineMs?: number | undefined
  /** How long `waitFor` waits at the most, in milliseconds. @default 55000 */
  readonly waitBudgetMs?: number | undefined
  /** How many requests may wait at a time; one more is answered at once. @default 10000 */
  readonly maxWaiters?: number | undefined
  /**
   * How many of these places one owner keeps when others need them. While places are free an owner may take them all; once
   * none is, its longest waiting request beyond its share is answered at once. @default a quarter of `maxWaiters`
   */
  readonly maxWaitersPerOwner?: number | undefined
  /**
   * The public URL at which the /v1 interface is mounted, such as `https://app.example/media`. With it, providers that
   * read callbacks ask their vendors for them, and are polled less while they come. @default everything is polled
   */
  readonly callbackBaseUrl?: string | undefined
  /**
   * What to do when nobody can tell whether a provider has taken a task on: fail the job with `submit_ambiguous`, or
   * submit it again and perhaps pay twice. @default 'fail'
   */
  readonly onAmbiguousSubmit?: 'fail' | 'resubmit' | undefined
  /**
   * Asked before a job is stored. Refuses it by throwing a `GenerationError`, for example `insufficient_quota`,
   * `model_not_allowed` or `too_many_running_jobs`. @default every valid job is admitted
   */
  readonly admit?: ((admission: Admission) => void | Promise<void>) | undefined
  /**
   * How many jobs of one owner may be unfinished at a time; one more is refused with `too_many_running_jobs`. Each process
   * counts those that it has accepted or taken a step on. @default 1000
   */
  readonly maxRunningJobsPerOwner?: number | undefined
  /**
   * Told of each job that has completed or failed, once that is written, by the process that has written it: with `admit`,
   * to count what an owner has under way. It is missed when that process dies in this moment, and told again of a failed
   * job that goes on after all because its provider calls back. What it throws goes to `log`. @default nobody is told
   */
  readonly onJobEnd?: ((job: Job) => void | Promise<void>) | undefined
  /** @default `systemClock()` */
  readonly clock?: Clock | undefined
  /** Where the service reports what its clients are not told. @default `console` */
  readonly log?: Log | undefined
}

/** A valid job about to be stored. */
export interface Admission {
  readonly owner: string
  readonly model: Model
  readonly input: object
}

/** The job service: everything that the /v1 interface can ask for, without HTTP. */
export interface GenerationService {
  readonly models: readonly Model[]
  readonly clock: Clock
  readonly files: FileStore
  readonly log: Log
  /** How long `waitFor` waits at the most, in milliseconds. */
  readonly waitBudgetMs: number

  /** Picks up unfinished jobs and begins to sweep. The first call of any other method does it too. */
  start(): void

  /**
   * Validates, admits and stores a job, and starts it. A job that comes back is in the store.
   * @throws GenerationError with a code that says why there is no job and nothing was spent
   */
  create(request: JobRequest): Promise<{ readonly job: Job; readonly replayed: boolean }>

  /**
   * The owner's job, asked of the provider again if its last word is old.
   * @throws GenerationError `job_not_found`, the same for unknown, foreign and expired jobs
   */
  get(id: string, owner: string): Promise<Job>

  /**
   * The owner's job once it has finished, or as it is when the budget runs out, the caller leaves, too many wait
   * already, or the service closes.
   * @throws GenerationError `job_not_found`
   */
  waitFor(id: string, owner: string, options?: WaitOptions): Promise<Job>

  /**
   * Takes a provider's callback as a hint to poll, and never as news. `address` is what its URL said; leave it out only
   * where you have checked by other means for which job the callback is. A request given as a function is asked for only
   * once the address is known to be the job's, so that nobody else has a body read.
   * @returns whether it was genuine; one that was not has changed nothing
   * @throws what the function throws
   */
  receiveCallback(
    jobId: string,
    request: CallbackRequest | (() => Promise<CallbackRequest>),
    address?: CallbackAddress,
  ): Promise<boolean>

  /**
   * Answers every waiter, lets submits in flight be recorded and outputs in hand be stored, and holds nothing open
   * afterwards. What is not done by `timeoutMs` is left, and told to the log. May be called twice and before `start`.
   */
  close(options?: CloseOptions): Promise<void>
}

export interface CloseOptions {
  /** In milliseconds. Give it less than the host allows a process to end. @default 90000 */
  readonly timeoutMs?: number | undefined
}

/** The parts of a callback's URL that say whose it is. */
export interface CallbackAddress {
  readonly provider: string
  readonly token: string
}

export interface WaitOptions {
  /** In milliseconds; capped by the service's `waitBudgetMs`. @default `waitBudgetMs` */
  readonly budgetMs?: number | undefined
  /** Registers a listener for the caller's leaving; returns a function that takes it back. */
  readonly onLeave?: ((leave: () => void) => () => void) | undefined
}
