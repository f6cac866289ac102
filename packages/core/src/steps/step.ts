import type { Processes } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Job } from '../contracts/job.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Log } from '../contracts/log.ts'
import type { Provider, ProviderTask, RunningTask } from '../contracts/provider.ts'
import type { Route, Routes } from '../routing/routes.ts'
import type { Scheduler } from '../contracts/scheduler.ts'
import type { ByteBudget } from '../sharing/byte-budget.ts'
import type { CallbackRecord } from '../callbacks/callback-record.ts'
import type { ClockSteps } from '../job/clock-steps.ts'
import type { OutputCopier } from '../outputs/output-copier.ts'
import type { Ending } from '../pacing/ending.ts'
import type { OwnerMarks } from '../sharing/owner-marks.ts'
import type { PollSchedule } from '../pacing/poll-schedule.ts'
import type { RunningJobs } from '../job/running-jobs.ts'

/** What every step of a service works with. */
export interface StepContext {
  readonly jobs: JobStore
  readonly files: FileStore
  readonly scheduler: Scheduler
  readonly signals: JobSignals
  readonly clock: Clock
  readonly log: Log
  readonly schedule: PollSchedule
  readonly routesOf: (model: string) => Routes | undefined
  /** Absent when outputs stay where the provider has them. */
  readonly copyOutputs: OutputCopier | undefined
  readonly callbacks: CallbackRecord
  /** Absent when vendors can send no callbacks. */
  readonly callbackBaseUrl: string | undefined
  readonly onAmbiguousSubmit: 'fail' | 'resubmit'
  /** Comes when the service closes. */
  readonly closing: Ending
  /** Comes when the service can wait no longer for what is still to be written. */
  readonly givingUp: Ending
  /** Takes the bytes that `files` does not take. */
  readonly spool: FileStore | undefined
  readonly heldBytes: ByteBudget
  readonly clockSteps: ClockSteps
  readonly running: RunningJobs
  readonly ownerMarkOf: OwnerMarks
  /** Called once a job's end is written, by whoever has written it. Never throws. */
  readonly onJobEnd: (job: Job) => void
  /** Absent where nobody can tell whether a process has ended. */
  readonly processes: Processes | undefined
}

/** One step on one claimed job. */
export interface Step {
  readonly context: StepContext
  /** The job as claimed. */
  readonly job: Job
  readonly routes: Routes
  /** The one by which the job is submitted. */
  readonly route: Route
  /** The route's. */
  readonly provider: Provider
  /** Comes when another has taken the job over. */
  readonly lost: Ending
  /** Whether the claim still stands for long enough to pay for something now. */
  readonly confirm: () => Promise<boolean>
}

/** The job as its route's provider sees it. @throws when the route does not take this input */
export async function taskOf(step: Step): Promise<ProviderTask> {
  return taskWith(step, await step.route.inputOf(step.job.task ?? {}))
}

/** The same for a job that the provider may have: it is asked after whatever its schema says by now. */
export async function submittedTaskOf(step: Step): Promise<ProviderTask> {
  return taskOf(step).catch(() => taskWith(step, step.job.task ?? {}))
}

function taskWith({ job, route, context }: Step, input: JsonObject): ProviderTask {
  const { id, clientToken, owner } = job
  return { jobId: id, model: route.model, input, clientToken, owner: context.ownerMarkOf(owner) }
}

export async function runningTaskOf(step: Step): Promise<RunningTask> {
  return { ...(await submittedTaskOf(step)), handle: step.job.handle ?? null }
}
