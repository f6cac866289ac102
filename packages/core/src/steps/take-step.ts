import type { Job } from '../contracts/job.ts'
import { callProvider } from './ask-provider.ts'
import { collectAgain } from './collect-outputs.ts'
import type { JobEvent } from '../job/job-machine.ts'
import { pollTask } from './poll-task.ts'
import { runningTaskOf, type Step } from './step.ts'
import type { StepResult } from './step-result.ts'
import { recoverSubmit, submitTask } from './submit-task.ts'
import { maxDeaths } from './suspicion.ts'

/** Takes the step that the job as it was found, before the claim, asks for. */
export async function takeStep(step: Step, { phase }: Job): Promise<StepResult> {
  const isLate = step.context.clock.now() >= step.job.deadlineAt
  if (phase === 'accepted') return isLate ? { event: outOfTime(phase) } : submitTask(step)
  // At the deadline once more: after an outage the provider may have finished long ago, and been paid.
  const result = await asked(step, phase)
  return isLate && !isNews(result, phase) ? giveUpTask(step, phase) : result
}

function asked(step: Step, phase: Job['phase']): Promise<StepResult> {
  if (phase === 'submitting') return recoverSubmit(step)
  return phase === 'running' ? pollTask(step) : collectAgain(step)
}

/** Whether the answer decides the job, or tells for the first time that the provider has it. */
function isNews({ event, outputs }: StepResult, phase: Job['phase']): boolean {
  if (outputs !== undefined || event?.type === 'collected' || event?.type === 'failed') return true
  return phase === 'submitting' && event?.type === 'running'
}

async function giveUpTask(step: Step, phase: Job['phase']): Promise<StepResult> {
  const { provider, context } = step
  if (phase === 'running' && provider.cancel) {
    await callProvider(step, context.closing, async (call) =>
      provider.cancel?.(await runningTaskOf(step), call),
    )
  }
  return { event: outOfTime(phase) }
}

export function outOfTime(phase: Job['phase']): JobEvent {
  const code = phase === 'submitting' ? 'submit_ambiguous' : 'deadline_exceeded'
  return { type: 'failed', code, message: 'The job has not finished within its time.' }
}

/** The end of a job during whose steps one process after the other has died. */
export function poisoned({ phase }: Job): JobEvent {
  const message = `The service broke down ${maxDeaths} times in a row over this job.`
  return { type: 'failed', code: phase === 'submitting' ? 'submit_ambiguous' : 'service_failed', message }
}

/** The end of a job whose route is no longer there at its deadline. */
export function routeGone({ phase, route }: Job): JobEvent {
  if (phase === 'accepted' || phase === 'submitting') return outOfTime(phase)
  const message = `The service no longer has the route ${route ?? 'of old'} to the provider that was making this job.`
  return { type: 'failed', code: 'provider_lost', message }
}
