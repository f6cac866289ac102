import type { ServiceParts } from '../contracts/service-parts.ts'
import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Provider, RunningTask } from '../contracts/provider.ts'
import type { ProviderTask } from '../contracts/provider-task.ts'
import type { Route, Routes } from '../routing/routes.ts'
import type { ServicePlugins } from '../plugins/service-plugins.ts'
import type { OutputCalls } from '../plugins/output-calls.ts'
import type { StepCalls } from '../plugins/step-calls.ts'
import type { ByteBudget } from '../sharing/shared-room.ts'
import type { ClockSteps } from '../clock/clock-steps.ts'
import type { OutputCopier } from '../outputs/output-copier.ts'
import type { OwnerMarks } from '../sharing/owner-marks.ts'
import type { PollSchedule } from '../pacing/poll-schedule.ts'
import type { RecentJobs } from '../claims/recent-jobs.ts'
import type { RunningJobs } from '../job/running-jobs.ts'
import type { TroubleTeller } from './trouble-teller.ts'
import type { Claim } from '../claims/claim.ts'
import type { SubmitsUnderWay } from '../turns/submits-under-way.ts'
import { holderOf } from '../claims/holder-of.ts'

/** What all steps of a service work with. */
export interface StepContext extends Pick<
  ServiceParts,
  | 'clock'
  | 'closing'
  | 'files'
  | 'givingUp'
  | 'jobs'
  | 'log'
  | 'processes'
  | 'scheduler'
  | 'signals'
  | 'spool'
  | 'sureNow'
> {
  /** Whether the jobs are in the memory of this process, and end with it. */
  readonly isInThisProcess: boolean
  /** See `AheadContext`. */
  readonly wakesItself: boolean
  readonly recent: RecentJobs
  readonly trouble: TroubleTeller
  readonly schedule: PollSchedule
  /** How long a job of this model may take, in milliseconds. */
  readonly deadlineMsOf: (model: string) => number
  readonly routesOf: (job: Job) => Routes | undefined
  /** Absent when outputs stay at the provider. */
  readonly copyOutputs: OutputCopier | undefined
  readonly plugins: Pick<ServicePlugins, keyof StepCalls | keyof OutputCalls | 'due' | 'settled'>
  readonly onAmbiguousSubmit: 'fail' | 'resubmit'
  readonly submits: SubmitsUnderWay
  readonly heldBytes: ByteBudget
  readonly clockSteps: ClockSteps
  readonly running: RunningJobs
  readonly ownerMarkOf: OwnerMarks
}

/** One step of a job that this process has claimed. */
export interface Step {
  readonly context: StepContext
  /** The job as it was written with the claim. */
  readonly job: Job
  /** All routes of the job's model. */
  readonly routes: Routes
  /** The route by which the job is submitted. */
  readonly route: Route
  /** The provider of that route. */
  readonly provider: Provider
  /** Whether the claim is certain to last long enough to pay for something now. */
  readonly confirm: Claim['confirm']
  /** Records that the job is about to be submitted. */
  readonly submits: Claim['submits']
}

/** What of a step shows the provider's task. */
type TaskStep = Pick<Step, 'context' | 'job' | 'route'>

/** The task for the provider of the step's route. Throws or rejects when the route does not accept the input. */
export function taskOf(step: TaskStep, storedInput: JsonObject): ProviderTask | Promise<ProviderTask> {
  const input = step.route.inputOf(storedInput)
  return input instanceof Promise ? input.then((read) => taskWith(step, read)) : taskWith(step, input)
}

/**
 * The task for a job that the provider may have already. If the route no longer accepts the input, because its schema
 * has changed, the task has the input as it is stored, because the provider must be polled in any case.
 */
export async function submittedTaskOf(step: TaskStep): Promise<ProviderTask> {
  const { input = {} } = step.job
  try {
    const taskInput = step.context.plugins.taskInput(input)
    return await taskOf(step, taskInput instanceof Promise ? await taskInput : taskInput)
  } catch {
    return taskWith(step, input)
  }
}

function taskWith({ job, route, context }: TaskStep, input: JsonObject): ProviderTask {
  const { id, clientToken, owner } = job
  return { jobId: id, model: route.model, input, clientToken, owner: context.ownerMarkOf(owner) }
}

/** The same with the handle of the provider's last `running` report. */
export async function runningTaskOf(step: TaskStep): Promise<RunningTask> {
  return { ...(await submittedTaskOf(step)), handle: step.job.handle ?? null }
}

/**
 * The state of the process that began the submit of a job, and so may still have its answer or its outputs. A backend that
 * does not answer shows no end of it.
 * @returns as {@link holderOf} does
 */
export async function submitterState({ job, context: { processes } }: Step) {
  return holderOf(job.submitToken, processes).catch(() => 'alive' as const)
}

/**
 * Whether a process that has been gone since this instant may return, because it may only be cut off from the backend.
 * @param goneSince in milliseconds since the Unix epoch. @default now
 */
export function mayReturn({ context: { clock, processes } }: Step, goneSince = clock.now()): boolean {
  return clock.now() - goneSince < (processes?.mayReturnMs ?? 0)
}
