import type { Backend } from '../contracts/storage/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/storage/file-store.ts'
import type { Job, JobTransition } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { NewJob, ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import type { Provider } from '../contracts/provider.ts'
import type { ModelAliases } from '../routing/model-catalogue.ts'
import type { RoutedModel } from '../routing/route-model.ts'

/** The options of {@link createGenerationService}. */
export interface GenerationServiceOptions<
  Plugins extends readonly ServicePlugin[] = readonly ServicePlugin[],
> {
  /** The providers that make the media, and the models that several providers serve (`routeModel`). */
  readonly providers: readonly (Provider | RoutedModel)[]
  /**
   * Further ids by which clients can ask for models, such as `{ 'image-best': 'flux-2-pro' }`, so that apps do not change when
   * a better model appears. A job names the model that makes it. Of the lists of models, only that of OpenAI's interface has the aliases. @default none
   */
  readonly aliases?: ModelAliases | undefined
  /** Stores the jobs and wakes them. @default `memoryBackend()`, which loses the jobs when the process ends */
  readonly backend?: Backend | undefined
  /** Stores the outputs. @default `memoryFileStore()`, which loses them when the process ends */
  readonly files?: FileStore | undefined
  /**
   * Stores output bytes while `files` fails, so that they survive the process: for example `diskFiles` on another disk
   * than `files`, or beside a bucket. They are moved into `files` as soon as possible. Without a spool these bytes are
   * only held in memory.
   * @default none
   */
  readonly spool?: FileStore | undefined
  /**
   * How many bytes of outputs that `files` can't store at the moment are held in memory, over all jobs. While more than
   * half of this is used, no new jobs are submitted.
   * @default 268435456 (256 MiB)
   */
  readonly maxHeldBytes?: number | undefined
  /**
   * What to do with outputs that a provider reports as links. Providers delete such files after about an hour.
   * `mirror`: after the job has completed, the outputs are copied into `files`, and until then clients are redirected
   * to the provider's link; a copy that fails is tried again for at least three hours. `redirect`: clients are always
   * redirected to the provider's link.
   * @default 'mirror' if `files` has `fetch`, otherwise 'redirect'
   */
  readonly keepOutputs?: 'mirror' | 'redirect' | undefined
  /** The largest output that is copied, in bytes. @default 2147483648 (2 GiB) */
  readonly maxOutputBytes?: number | undefined
  /** For how many days of 24 hours a job and its outputs are kept: a whole number from 1 to 3650. @default 7 */
  readonly retentionDays?: number | undefined
  /**
   * How long a job may take before it fails as `deadline_exceeded`, in milliseconds, unless its model has its own
   * `deadlineMs`.
   * @default 1800000 (30 minutes)
   */
  readonly deadlineMs?: number | undefined
  /** The longest wait of `waitFor`, in milliseconds. @default 55000 */
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
   * What to do when it is unknown whether a provider has taken a task on: `fail` fails the job as `submit_ambiguous`,
   * `resubmit` submits the task again, which may be paid for twice.
   * @default 'fail'
   */
  readonly onAmbiguousSubmit?: 'fail' | 'resubmit' | undefined
  /**
   * Called before a job is stored, and before the plugins. To refuse the job, throw a `GenerationError`, for example with the code
   * `insufficient_quota`, `model_not_allowed` or `too_many_running_jobs`. It may take up to 60 seconds.
   * It is also called for a dry run, with `isDryRun`, after which no job follows: then pay for nothing and count nothing.
   * @default every valid job is admitted
   */
  readonly admit?: ((create: NewJob) => void | Promise<void>) | undefined
  /**
   * How many unfinished jobs an owner without `limits.runningJobs` may have. Further jobs are refused as
   * `too_many_running_jobs`. Each process counts the jobs that it has accepted or read for a step.
   * @default 1000
   */
  readonly maxRunningJobsPerOwner?: number | undefined
  /**
   * Called after the store has recorded that a job has completed or failed, in the process that has written it.
   * Together with `admit`, without its dry runs, it can count the unfinished jobs of an owner. The call is lost if the process dies at that
   * moment. If a job that failed as `submit_ambiguous` continues, because its provider calls back or the answer to its
   * submit arrives, it is called again at the job's new end. Its errors go to `log`.
   * @default nothing is called
   */
  readonly onJobEnd?: ((job: Job) => void | Promise<void>) | undefined
  /**
   * Called after the store has recorded that a job is new or has entered another phase, in the process that has written
   * it: for logs and metrics. A transition is missed if the process dies at that moment, or if the store's answer to
   * the write was lost. So make bills from the ledger (the plugin `usage`), which has every end. Its errors go to `log`.
   * @default nothing is called
   */
  readonly onTransition?: ((transition: JobTransition) => void | Promise<void>) | undefined
  /**
   * Features that the service has beside its own, in the order in which they are called: `limits` of `@genmount/core/limits`,
   * `uploads`, `moderation`, `usage`, `callbacks`, `signedWebhooks` of `@genmount/webhooks`, and your own. An app carries the code of the plugins
   * that it names.
   * @default none
   */
  readonly plugins?: Plugins | undefined
  /** The source of all instants and delays of the service. @default `systemClock()` */
  readonly clock?: Clock | undefined
  /** Receives the service's reports for its operator. Clients never see them. @default `console` */
  readonly log?: Log | undefined
}
