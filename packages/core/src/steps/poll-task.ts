import type { ProviderCall } from '../contracts/provider.ts'
import type { ProviderReport } from '../contracts/provider-report.ts'
import { askProvider, callProvider } from './ask-provider.ts'
import { runningTaskOf, type Step } from './step.ts'
import {
  failed,
  notListed,
  notNow,
  postponed,
  retryAt,
  type StepResult,
  resultOf,
  unanswered,
} from './step-result.ts'
import type { ProviderFailure } from '../errors/error-codes.ts'
import { storedOutputs } from '../job/job-state.ts'
import { canceled } from '../job/out-of-time.ts'
import { submitFurther } from './submit-task.ts'

/**
 * For how many milliseconds a provider may not know a task. If it then reports this twice more, the task counts as lost.
 */
const graceMs = 5 * 60_000

/** Polls the state of a running task. If the provider does not answer, the job stays as it is and is polled later. */
export async function pollTask(step: Step): Promise<StepResult> {
  const polled = await askForTask(step)
  if (polled === undefined) return unanswered(step, step.context.closing)
  if (polled.state === 'refused') return notNow(step, polled)
  if (polled.state === 'unknown') return unknownTask(step, polled)
  const furtherSubmit = polled.state === 'running' && step.job.phase === 'running' && polled.furtherSubmit
  const report = furtherSubmit ? await submitFurther(step, furtherSubmit) : polled
  return mayGetOutputs(step, report) ? postponed(step, 'no_output') : resultOf(step, report)
}

/**
 * Whether a finished task without any output may have outputs when it is polled once more: a replica of the vendor may lag
 * behind.
 */
function mayGetOutputs({ job, context }: Step, report: ProviderReport): boolean {
  const isEmpty =
    report.state === 'succeeded' && report.outputs.length === 0 && storedOutputs(job).length === 0
  return isEmpty && job.setback?.why !== 'no_output' && context.clock.now() < job.deadlineAt
}

/**
 * Polls the provider once. The report that a callback has brought counts if the provider does not answer, does not know the
 * task or its result, or can only assume that the task runs; and when the job has no more time or is to be canceled.
 * @returns `undefined` when there is neither an answer nor such a report
 */
async function askForTask(step: Step): ReturnType<typeof askProvider> {
  const { reported, deadlineAt, cancelAskedAt } = step.job
  const isOver = cancelAskedAt !== undefined || step.context.clock.now() >= deadlineAt
  const poll = async (call: ProviderCall) =>
    step.provider.poll(await runningTaskOf(step), isOver ? { ...call, isOver } : call)
  const answer = await askProvider(step, step.context.closing, poll, 'poll')
  if (!reported || answer?.state === 'succeeded') return answer
  if (answer?.state === 'failed' && reported.state === 'failed') return answer
  if (answer?.state === 'running' && !answer.isAssumed && !isOver) return answer
  const costUsd = reported.costUsd ?? (answer && 'costUsd' in answer ? answer.costUsd : undefined)
  return { ...reported, costUsd }
}

/**
 * What to do when the provider does not know the task at this moment. While it knows none of its tasks, that says nothing
 * about this one.
 */
function unknownTask(
  step: Step,
  { message, costUsd }: Extract<ProviderReport, { state: 'unknown' }>,
): StepResult {
  const { job, route } = step
  if (!route.gate.breaker.knowsTasks()) return postponed(step, 'unknown_task')
  // `checkedAt` is when the provider said so before, if it has not known the task since.
  const { unknown, checkedAt = 0 } = job
  if (unknown && checkedAt - unknown.since >= graceMs) return failed('provider_lost', message, costUsd)
  return notListed(step)
}

/** The longest pause between two tries to cancel a task, in milliseconds. */
const maxPauseMs = 60_000

/** The failure codes with which a provider reports a task that it has canceled. */
const ofCanceled: ReadonlySet<ProviderFailure> = new Set(['provider_failed', 'provider_lost'])

/**
 * Cancels a running task at its provider and then polls the task, because the task may have finished before. If it has
 * finished, the job completes. While the task is still running, the job stays as it is, and both calls are made again
 * after growing pauses. If the provider can't cancel, the job ends at once, and its cost is unknown.
 */
export async function cancelTask(step: Step): Promise<StepResult> {
  const { context, job, provider } = step
  const { closing, clock } = context
  const answer =
    provider.cancel &&
    (await callProvider(step, closing, async (call) => provider.cancel?.(await runningTaskOf(step), call)))
  const report = await askForTask(step)

  if (report?.state === 'succeeded') return resultOf(step, report)
  if (report?.state === 'failed') {
    if (!ofCanceled.has(report.code)) return resultOf(step, report)
    return { ...failed('canceled', 'The job was canceled.', report.costUsd), answer: report }
  }
  if (closing.hasEnded) return { event: { type: 'interrupted' } }
  const costUsd = report?.state === 'unknown' ? report.costUsd : undefined
  if (!answer) return { event: canceled(job, costUsd) }
  if (report === undefined) return unanswered(step, closing)
  switch (report.state) {
    case 'refused':
      return notNow(step, report)
    case 'unknown':
      // A provider may forget a task that it has canceled.
      return 'value' in answer ? { event: canceled(job, costUsd) } : unknownTask(step, report)
    case 'running': {
      const askedForMs = Math.max(0, clock.now() - (job.cancelAskedAt ?? clock.now()))
      const at = retryAt(step, Math.min(maxPauseMs, askedForMs / 2))
      const { handle, pollAfterMs } = report
      return { event: { type: 'running', handle, pollAfterMs, dueAt: at, earliestAt: at } }
    }
  }
}
