import type { Job, Setback } from '../contracts/job.ts'
import { callProvider } from './ask-provider.ts'
import { cancelTask } from './cancel-task.ts'
import { collectAgain } from './collect-outputs.ts'
import type { JobEvent } from '../job/job-event.ts'
import { outOfTime } from '../job/out-of-time.ts'
import { pollTask } from './poll-task.ts'
import { runningTaskOf, type Step } from './step.ts'
import type { StepResult } from './step-result.ts'
import { recoverSubmit, submitTask } from './submit-task.ts'
import { maxDeaths } from '../turns/suspicion.ts'

/** Takes the step that follows from the job's phase before the claim. */
export function takeStep(step: Step, before: Job): Promise<StepResult> {
  const { clock, clockSteps } = step.context
  // The clock may have been set while the claim was written.
  const isLate = clock.now() >= clockSteps.retimed(step.job).deadlineAt
  if (before.phase !== 'accepted') return takeLaterStep(step, before, isLate)
  return isLate ? Promise.resolve({ event: outOfTime(before) }) : submitTask(step)
}

async function takeLaterStep(step: Step, before: Job, isLate: boolean): Promise<StepResult> {
  const { phase } = before
  // At the deadline the provider is polled once more, because it may have finished and been paid during an outage. If
  // the service closes in the meantime, the next process polls.
  const result = await resultInPhase(step, phase)
  return isLate && !isNews(result, phase) && result.event?.type !== 'interrupted'
    ? giveUpTask(step, before, result)
    : result
}

function resultInPhase(step: Step, phase: Job['phase']): Promise<StepResult> {
  if (phase === 'submitting') return recoverSubmit(step)
  if (phase !== 'running') return collectAgain(step)
  return step.job.cancelAskedAt === undefined ? pollTask(step) : cancelTask(step)
}

/** Whether the answer decides the job, or shows for the first time that the provider has the task. */
function isNews({ event, outputs }: StepResult, phase: Job['phase']): boolean {
  if (outputs !== undefined || event?.type === 'collected' || event?.type === 'failed') return true
  return phase === 'submitting' && event?.type === 'running'
}

async function giveUpTask(step: Step, before: Job, { event }: StepResult): Promise<StepResult> {
  const { provider, context } = step
  if (before.phase === 'running' && provider.cancel) {
    await callProvider(step, context.closing, async (call) =>
      provider.cancel?.(await runningTaskOf(step), call),
    )
  }
  return { event: outOfTime(before, setbackIn(event, context.clock.now()) ?? before.setback) }
}

function setbackIn(event: JobEvent | undefined, now: number): Setback | undefined {
  const why = event && 'why' in event ? event.why : undefined
  return why && { why, at: now }
}

/** The failure of a job during whose steps five processes in a row have died. */
export function poisoned({ phase }: Job): JobEvent {
  const message = `The service broke down ${maxDeaths} times in a row during this job.`
  return { type: 'failed', code: phase === 'submitting' ? 'submit_ambiguous' : 'service_failed', message }
}

/** How often to look whether the provider of a failed job is back, in milliseconds. */
const lookMs = 5 * 60_000

/** What is written to a job that failed for want of its provider, while the provider is still away. */
export function awaitProvider({ outputs }: Job, now: number): JobEvent {
  return { type: 'copied', outputs, retryAt: now + lookMs }
}

/** The failure of a job whose model or provider no process has had until long after the job's deadline. */
export function providerGone(job: Job, now: number): JobEvent {
  const { phase, model, provider, route, cancelAskedAt } = job
  if (phase === 'accepted') {
    const message = `The job has not finished within its time: the service no longer has the model ${model}.`
    return { type: 'failed', code: 'deadline_exceeded', message, costUsd: 0 }
  }
  if (phase === 'running' && cancelAskedAt !== undefined) return outOfTime(job)
  const name = provider === undefined ? '' : ` ${provider}`
  const by = route === undefined ? '' : ` by the route ${route}`
  const message = `The service no longer has the provider${name}, which got this job${by}. The job continues when the service has the provider again.`
  return {
    type: 'failed',
    code: phase === 'submitting' ? 'submit_ambiguous' : 'provider_lost',
    message,
    lookAt: now + lookMs,
  }
}
