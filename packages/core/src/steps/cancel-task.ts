import type { ProviderFailure } from '../errors/job-failures.ts'
import { canceled } from '../job/out-of-time.ts'
import { callProvider } from './ask-provider.ts'
import { askForTask, unknownTask } from './poll-task.ts'
import { runningTaskOf, type Step } from './step.ts'
import { failed, notNow, retryAt, type StepResult, resultOf, unanswered } from './step-result.ts'

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
