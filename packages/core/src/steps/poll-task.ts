import type { ProviderReport } from '../contracts/provider.ts'
import { askProvider } from './ask-provider.ts'
import { runningTaskOf, type Step } from './step.ts'
import { failed, postponed, retryAt, type StepResult, resultOf } from './step-result.ts'

/** How often in a row, and for how long, a provider must not know a task before that is lost. */
export const leastUnknown = 3
const leastGraceMs = 15_000
const longestGraceMs = 5 * 60_000
/** The grace as a part of the task's age: the longer it was known, the stranger it is that it should be gone. */
const gracePart = 1 / 4

/** Asks for the state of a running task. A provider that gives no answer leaves the job as it is. */
export async function pollTask(step: Step): Promise<StepResult> {
  const report = await askProvider(step, step.context.closing, async (call) =>
    step.provider.poll(await runningTaskOf(step), call),
  )
  if (report === undefined) return postponed(step)
  if (report.state === 'refused') return postponed(step, report.retryAfterMs)
  return report.state === 'unknown' ? unknownTask(step, report) : resultOf(step, report)
}

function unknownTask(
  step: Step,
  { message, costUsd }: Extract<ProviderReport, { state: 'unknown' }>,
): StepResult {
  const { job, context } = step
  const now = context.clock.now()
  const { since = now, count = 0 } = job.unknown ?? {}
  const ageMs = since - (job.startedAt ?? since)
  const graceMs = Math.min(longestGraceMs, Math.max(leastGraceMs, ageMs * gracePart))
  if (count + 1 >= leastUnknown && now - since >= graceMs) return failed('provider_lost', message, costUsd)
  return { event: { type: 'unknown', retryAt: retryAt(step) } }
}
