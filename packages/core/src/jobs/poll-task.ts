import { askProvider } from './ask-provider.ts'
import { runningTaskOf, type Step } from './step.ts'
import { postponed, type StepResult, resultOf } from './step-result.ts'

/** Asks for the state of a running task. A provider that gives no answer leaves the job as it is. */
export async function pollTask(step: Step): Promise<StepResult> {
  const report = await askProvider(step, step.context.closing, async (call) =>
    step.provider.poll(await runningTaskOf(step), call),
  )
  if (report === undefined || report.state === 'unknown') return postponed(step)
  return report.state === 'refused' ? postponed(step, report.retryAfterMs) : resultOf(step, report)
}
