import type { Clock } from '../clock.ts'
import type { Ending } from '../ending.ts'
import type { FileRooms } from './file-rooms.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { Job } from '../job.ts'
import type { WatchedStore } from '../storage/job-store.ts'
import type { Log } from '../log.ts'
import type { OutputFile } from './output-change.ts'
import type { Model, Provider, RunningTask } from '../provider.ts'
import type { ServiceActions } from './service-actions.ts'

/** The provider that has the task of a job, or is to get it. */
export interface TaskHolder {
  /** The provider. */
  readonly provider: Provider
  /** Makes the task as this provider gets it. An input that the provider does not accept any more goes as it is stored. */
  task(): Promise<RunningTask>
}

/** What a plugin gets of its service. */
export interface PluginHost {
  /**
   * The job store of the service. Each call ends in time, and fails as `store_unavailable`. Plugins of other packages read
   * jobs from it, and write none.
   */
  readonly jobs: WatchedStore
  /** The file store of the service. */
  readonly files: FileStore
  /** The clock of the service. */
  readonly clock: Clock
  /** Instants before this one are certainly past, although the clock may have been set: what is deleted goes by it. */
  readonly sureNow: () => number
  /** The log of the service. It never throws. */
  readonly log: Log
  /** The models that clients can ask for. The list changes in place: see `GenerationService.models`. */
  readonly models: readonly Model[]
  /** The model with this id. `undefined` when the service has none. */
  readonly modelOf: (id: string) => Model | undefined
  /** Whether the service copies outputs from the links of providers into its file store, instead of sending clients there. */
  readonly copiesOutputs: boolean
  /** The option `deadlineMs` of the service. */
  readonly deadlineMs: number
  /** Every provider of the service once, including those that only routed models use. */
  readonly providers: readonly Provider[]
  /**
   * Reads a job for its owner, as `GET /v1/jobs/{id}` shows it, without a poll of the provider.
   * @throws GenerationError `job_not_found` for a job that is unknown, has expired, or belongs to another owner
   */
  readonly read: (jobId: string, owner: string) => Promise<Job>
  /** Who has the task of the job, or is to get it. `undefined` when this process does not have the provider. */
  readonly taskHolderOf: (job: Job) => TaskHolder | undefined
  /**
   * Makes the changes to a file that the plugins make to outputs on their way into the file store, such as a mark. Never
   * rejects: a change that fails is left out, and the log says so. Called after `attach`.
   */
  readonly changedBytes: (file: OutputFile, bytes: Uint8Array) => Promise<Uint8Array>
  /** Tells those who wait for the job that it has changed, and takes its next step, now and at this instant. */
  readonly wake: (jobId: string, at: number) => void
  /**
   * Takes the job's next step if it is due, as soon as its provider has room. Resolves when the step has ended. Never rejects.
   */
  readonly takeUp: (jobId: string) => Promise<void>
  /**
   * What the sweep looks for besides due jobs: expired jobs, jobs of processes that have ended, and what plugins look for. Each
   * looks once, never rejects, and returns after how many milliseconds it should look again. Called after `attach`.
   */
  readonly looks: () => readonly (() => Promise<number>)[]
  /**
   * The service itself. Called after `attach`.
   * @typeParam Methods what other plugins add to the service, if it has them
   */
  readonly service: <Methods extends object = object>() => ServiceActions & Partial<Methods>
  /** Ends when the service closes. */
  readonly closing: Ending
  /** Ends when the service is closing and can no longer wait. */
  readonly givingUp: Ending
  /** The rooms for files of the plugin that has them. `undefined` when no plugin limits files. Called after `attach`. */
  readonly fileRooms: () => FileRooms | undefined
  /** Starts the service. @throws GenerationError `shutting_down` after `close` */
  readonly start: () => void
}
