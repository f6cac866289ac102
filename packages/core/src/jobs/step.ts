import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import type { Provider, ProviderTask, RunningTask } from '../contracts/provider.ts'
import type { Scheduler } from '../contracts/scheduler.ts'
import type { CallbackRecord } from './callbacks.ts'
import type { OutputCopier } from './copy-outputs.ts'
import type { Ending } from './ending.ts'
import type { PollSchedule } from './poll-schedule.ts'

/** What every step of a service works with. */
export interface StepContext {
  readonly jobs: JobStore
  readonly files: FileStore
  readonly scheduler: Scheduler
  readonly signals: JobSignals
  readonly clock: Clock
  readonly log: Log
  readonly schedule: PollSchedule
  readonly providerOf: (model: string) => Provider | undefined
  /** Absent when outputs stay where the provider has them. */
  readonly copyOutputs: OutputCopier | undefined
  readonly callbacks: CallbackRecord
  /** Absent when vendors can send no callbacks. */
  readonly callbackBaseUrl: string | undefined
  readonly onAmbiguousSubmit: 'fail' | 'resubmit'
  /** Comes when the service closes. */
  readonly closing: Ending
}

/** One step on one claimed job. */
export interface Step {
  readonly context: StepContext
  /** The job as claimed. */
  readonly job: Job
  readonly provider: Provider
  /** Comes when another has taken the job over. */
  readonly lost: Ending
}

export function taskOf({ id, model, task = {}, clientToken }: Job): ProviderTask {
  return { jobId: id, model, input: task, clientToken }
}

export function runningTaskOf(job: Job): RunningTask {
  return { ...taskOf(job), handle: job.handle ?? null }
}
