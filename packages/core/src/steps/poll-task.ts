import type { ProviderReport } from '../contracts/provider-report.ts'
import { askProvider } from './ask-provider.ts'
import { runningTaskOf, type Step } from './step.ts'
import { failed, notNow, retryAt, type StepResult, resultOf, unanswered } from './step-result.ts'

/**
 * A task counts as lost when the provider has reported at least this many times in a row that it does not know the
 * task, and the grace has passed since the first time.
 */
export const leastUnknown = 3
/** The shortest and the longest grace, in milliseconds. */
const graceMs = { least: 15_000, most: 5 * 60_000 }
/**
 * The grace as a part of the task's age: the longer the provider has known the task, the less likely it is that the
 * task is really gone.
 */
const gracePart = 1 / 4

/** Polls the state of a running task. If the provider does not answer, the job stays as it is and is polled later. */
export async function pollTask(step: Step): Promise<StepResult> {
  const report = await askForTask(step)
  if (report === undefined) return unanswered(step, step.context.closing)
  if (report.state === 'refused') return notNow(step, report)
  return report.state === 'unknown' ? unknownTask(step, report) : resultOf(step, report)
}

/** Polls the provider once. @returns `undefined` when it has not answered */
export function askForTask(step: Step): ReturnType<typeof askProvider> {
  return askProvider(step, step.context.closing, async (call) =>
    step.provider.poll(await runningTaskOf(step), call),
  )
}

/** What to do when the provider does not know the task at this moment. */
export function unknownTask(
  step: Step,
  { message, costUsd }: Extract<ProviderReport, { state: 'unknown' }>,
): StepResult {
  const { job, context } = step
  const now = context.clock.now()
  const { since = now, count = 0 } = job.unknown ?? {}
  const ageMs = since - (job.startedAt ?? since)
  const ownGraceMs = Math.min(graceMs.most, Math.max(graceMs.least, ageMs * gracePart))
  if (count + 1 >= leastUnknown && now - since >= ownGraceMs) return failed('provider_lost', message, costUsd)
  return { event: { type: 'unknown', retryAt: retryAt(step), why: 'unknown_task' } }
}
