import type { CallbackMethods } from '../contracts/plugin/callbacks.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/storage/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { OutputVariants } from '../contracts/plugin/output-variants.ts'
import type { Model } from '../contracts/provider.ts'
import type { PluginRoute } from '../contracts/plugin/plugin-route.ts'
import type { OpenapiParts, RequestQuota } from '../contracts/plugin/service-plugin.ts'
import type { Uploads } from '../contracts/plugin/uploads.ts'
import type { ModelAliases } from '../routing/model-catalogue.ts'
import type { GenerationServiceOptions } from './generation-service-options.ts'
import type { JobEstimate } from '../requests/job-estimator.ts'
import type { JobRequest } from '../requests/job-request.ts'
import type { JobListRequest } from '../requests/list-jobs.ts'
import type { JobPage } from '../requests/page-of-jobs.ts'
import type { ServiceHealth } from '../contracts/plugin/service-health.ts'
import type { JobWatcher } from '../requests/watch-job.ts'

/** The job service: everything that the /v1 interface needs, without HTTP. */
export interface GenerationService {
  /**
   * The models that clients can ask for. The list changes in place when other models are offered, or by a provider with
   * `followModels`.
   */
  readonly models: readonly Model[]
  /** The ids of models by their aliases: see the option `aliases`. It changes in place when others are offered. */
  readonly aliases: ReadonlyMap<string, string>
  /** The clock of the service. */
  readonly clock: Clock
  /** The file store with the outputs. */
  readonly files: FileStore
  /** The log of the service. It never throws. */
  readonly log: Log
  /** Receives clients' files for the inputs of jobs. `undefined` without the plugin `uploads`. */
  readonly uploads: Uploads | undefined
  /** Makes other forms of outputs. `undefined` without the plugin `variants`. */
  readonly variants: OutputVariants | undefined
  /** For how many days of 24 hours jobs are kept, unless their model has its own `retentionDays`. */
  readonly retentionDays: number
  /** The longest wait of `waitFor`, in milliseconds. */
  readonly waitBudgetMs: number
  /** The routes that its plugins add to the /v1 interface. */
  readonly routes: readonly PluginRoute[]
  /** What else its plugins add to the OpenAPI document of the interface. */
  openapi(): readonly OpenapiParts[]
  /**
   * Whether `close` has been called. From then on no job is created. Until the job store is closed, jobs can be read,
   * and callbacks are written to them.
   */
  readonly isClosing: boolean

  /**
   * Opens the backend, waits for the code of the options, and checks the file stores and the providers, so that a server
   * can refuse to start before it listens. Takes 30 seconds at most. It takes up no jobs. It is optional: without it, the
   * parts open at their first use. It may be called again, for example after the problem is solved.
   * @throws Error with one line for each part that is not ready: which part, what is wrong, and what to do. The message
   * is for the operator, not for clients
   * @throws GenerationError `shutting_down` after `close`
   */
  ready(): Promise<void>

  /**
   * Takes up unfinished jobs and begins the sweep. All methods but `ready`, `health`, `countRequest` and `close` call it
   * first. After `close`, the methods `get`, `list`, `waitFor` and `receiveCallback` no longer call it, and
   * work until the job store is closed.
   * @throws GenerationError `shutting_down` after `close`
   */
  start(): void

  /**
   * Changes what clients can ask for while the service runs: `models`, the lists of models and the OpenAPI document follow.
   * Jobs of a model that is no longer offered go on by their provider until they have ended. Call it in each process.
   * @param providers as the option `providers` of the service. Name a provider again whose list of models has changed, and keep
   *   the objects of the others: one that takes the place of another of its name, with a new key for example, gets the polls of
   *   its running jobs, and the other is closed when the service closes
   * @param aliases as the option `aliases` of the service. @default those before
   * @throws TypeError that says what is wrong. Then nothing has changed
   * @example service.offer([falProvider({ token, models: await readModels() }), openai])
   */
  offer(providers: GenerationServiceOptions['providers'], aliases?: ModelAliases): void

  /**
   * The state of the service, for the health route of a load balancer and for operators. Takes little more than 2
   * seconds, never rejects, and may be called at any time and as often as you like: the store is read at most once a
   * second. It does not start the service.
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
    /**
     * What the budgets of the plugin `limits` leave for further jobs, in US dollars: the lowest of all. Absent without budgets
     * and for an earlier job.
     */
    readonly budgetLeftUsd?: number | undefined
  }>

  /**
   * Says what would become of a request if `create` got it now: the validated input, what the job would cost, and whether it
   * would be accepted. It stores nothing, asks no vendor, and pays for no moderation. The idempotency key is ignored.
   * @throws GenerationError for a wrong request, as `create` does, and when the answer can't be known now
   * @example const { costUsd, refusal } = await service.estimate({ owner: 'alice', model: 'flux', input: { prompt: 'a kite' } })
   */
  estimate(request: JobRequest): Promise<JobEstimate>

  /**
   * Reads the owner's job. If the provider may be polled now, waits up to 2 seconds for the answer of the poll. Never
   * fails because a provider does.
   * @throws GenerationError `job_not_found`, which is the same for unknown and expired jobs and those of other owners
   */
  get(id: string, owner: string): Promise<Job>

  /**
   * Lists the owner's jobs as they are stored, the newest first, in pages. It polls no provider. If jobs are added or
   * deleted between two pages, no other job is listed twice or left out.
   * @example const { jobs, next } = await service.list({ owner: 'alice', status: 'failed' })
   * @throws TypeError when the request is wrong; GenerationError `not_supported` when the job store has no `list`, or
   *   `store_unavailable`
   */
  list(request: JobListRequest): Promise<JobPage>

  /**
   * Waits until the owner's job has finished. The host process does not end by itself during the wait.
   * @returns the finished job. If the time is up, the caller disconnects, too many calls wait already or the service
   * closes: the job in its current state
   * @throws GenerationError `job_not_found`
   */
  waitFor(id: string, owner: string, options?: WaitOptions): Promise<Job>

  /**
   * Calls a watcher with the current state of the owner's job, with each change of the job, and with the provider's
   * progress reports, until the job has finished. While a job is watched, the service polls its provider as often as
   * for a client who reads the job every 3 seconds, however many watchers the job has. A watch takes one of the
   * `maxWaiters` places, and keeps the host process alive.
   * @returns a function that ends the watch
   * @throws GenerationError `job_not_found`; `capacity_exceeded` when there is no place; `shutting_down` after `close`
   * @example const end = await service.watch(job.id, 'alice', { onChange, onNews, onEnd })
   */
  watch(id: string, owner: string, watcher: JobWatcher): Promise<() => void>

  /**
   * Cancels the owner's job. A job that is not submitted yet fails as `canceled` at once, and has certainly cost
   * nothing. For a job in a later phase the request is recorded: no submit begins any more, and the service asks the
   * provider to cancel the task, and repeats this until the task has ended or the job's deadline has come. The call
   * waits up to 2 seconds for the end of the task. The job then fails as `canceled`, with the cost that the provider
   * reports. If the task finishes first, the job completes. If the provider can't cancel tasks, the job fails at once,
   * and its cost is unknown. It may be called again, with the same effect.
   * @returns the job in its new state; it may still be processing, and it may have completed
   * @throws GenerationError `job_finished` when the job had finished before; `job_not_found`
   * @example const { phase } = await service.cancel(job.id, 'alice')
   */
  cancel(id: string, owner: string): Promise<Job>

  /**
   * Repeats a failed job on which nothing was spent, as a new job of the same owner with the same model, input and
   * metadata. It is for an operator who has removed the cause, such as a vendor's account without credit. The failed job
   * stays as it is. A second call for the same job returns the new job of the first call. No `admit` is called,
   * neither the app's nor a plugin's, and no limit applies, because the operator asks. The new job counts in the owner's limits.
   * @param id the id of the failed job, whoever owns it
   * @returns the new job
   * @throws GenerationError `job_not_found`; `job_processing` when the job has not failed yet; `invalid_request` when the
   *   job has completed, was canceled, may have cost something, or had an input that was not kept whole (a data URI, a
   *   very long text)
   * @example const { jobs } = await service.list({ owner: 'alice', status: 'failed' })
   * for (const { id, error } of jobs) if (error?.code === 'provider_rejected') await service.retry(id)
   */
  retry(id: string): Promise<Job>

  /**
   * Deletes the owner's finished job with its files. From then on no client can read the job, its idempotency key is
   * free, and only the ledger of costs still has an entry for it. Waits up to 2 seconds for the file store; files that
   * can't be deleted by then are deleted later, as those of expired jobs.
   * @throws GenerationError `job_processing` when the job has not finished; `job_not_found`
   * @example await service.delete(job.id, 'alice')
   */
  delete(id: string, owner: string): Promise<void>

  /** Receives a callback of a provider. Absent without the plugin `callbacks`. */
  readonly receiveCallback?: CallbackMethods['receiveCallback'] | undefined

  /** Receives a callback of a provider for its whole account. Absent without the plugin `callbacks`. */
  readonly receiveAccountCallback?: CallbackMethods['receiveAccountCallback'] | undefined

  /**
   * Counts one request of the owner, as the /v1 interface does for each request with a key. Absent when the service has
   * no limit on requests.
   * @returns how many requests the owner may still send; `undefined` for an owner without such a limit
   * @throws GenerationError `store_unavailable` when the request can't be counted; the error of the app's `limits`
   */
  readonly countRequest?: ((owner: string) => Promise<RequestQuota | undefined>) | undefined

  /**
   * Resolves when no step of a job is under way in this process: submits have been answered, and their answers recorded.
   * Await it before you answer a request on a host that stops the process after each answer, such as AWS Lambda, because
   * a submit whose answer nobody reads may have to be paid for.
   */
  settled(): Promise<void>

  /**
   * Closes the service. All calls of `waitFor` return at once. Submits under way may have to be paid for, so their
   * answers are awaited and recorded, and each second the log says how many there are and what they cost. Outputs in
   * memory are stored, and nothing stays open afterwards. With `timeoutMs`, it takes at most that time and 700 ms more,
   * even if a part hangs: when the time is nearly up, it aborts submits under way and stops waiting, and the log and the
   * result say what is not done. It may be called before `start` and more than once; the first call decides.
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

/** The options of `GenerationService.close`. */
export interface CloseOptions {
  /**
   * How long closing may take, in milliseconds. It must be shorter than the time that the host gives a process to end.
   * @default as long as submits under way take, each at most the `callTimeoutMs` of its provider, and then 90 seconds for
   * everything else
   */
  readonly timeoutMs?: number | undefined
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
