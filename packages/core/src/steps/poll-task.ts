import type { ProviderCall } from '../contracts/provider.ts'
import type { ProviderReport } from '../contracts/provider-report.ts'
import { askProvider } from './ask-provider.ts'
import { runningTaskOf, type Step } from './step.ts'
import { failed, notNow, postponed, retryAt, type StepResult, resultOf, unanswered } from './step-result.ts'

/**
 * For how many milliseconds a provider may not know a task. If it then reports this twice more, the task counts as lost.
 */
const graceMs = 5 * 60_000

/** Polls the state of a running task. If the provider does not answer, the job stays as it is and is polled later. */
export async function pollTask(step: Step): Promise<StepResult> {
  const report = await askForTask(step)
  if (report === undefined) return unanswered(step, step.context.closing)
  if (report.state === 'refused') return notNow(step, report)
  return report.state === 'unknown' ? unknownTask(step, report) : resultOf(step, report)
}

/** Polls the provider once. @returns `undefined` when it has not answered */
export function askForTask(step: Step): ReturnType<typeof askProvider> {
  const poll = async (call: ProviderCall) => step.provider.poll(await runningTaskOf(step), call)
  return askProvider(step, step.context.closing, poll, 'poll')
}

/**
 * What to do when the provider does not know the task at this moment. While it knows none of its tasks, that says nothing
 * about this one.
 */
export function unknownTask(
  step: Step,
  { message, costUsd }: Extract<ProviderReport, { state: 'unknown' }>,
): StepResult {
  const { job, route } = step
  if (!route.gate.breaker.knowsTasks()) return postponed(step, 'unknown_task')
  // `checkedAt` is when the provider said so before, if it has not known the task since.
  const { unknown, checkedAt = 0 } = job
  if (unknown && checkedAt - unknown.since >= graceMs) return failed('provider_lost', message, costUsd)
  return { event: { type: 'unknown', retryAt: retryAt(step), why: 'unknown_task' } }
}
