import { askProvider, callProvider } from './ask-provider.ts'
import { callbackUrlOf } from './callbacks.ts'
import { checkReport } from './provider-report.ts'
import { type Step, taskOf } from './step.ts'
import { failed, postponed, retryAt, type StepResult, resultOf } from './step-result.ts'

/** How long after its submit a job may still be adopted by the provider's callback. */
const callbackGraceMs = 120_000

/** Submits the task, at most once unless the provider vouches that a second time is free. */
export async function submitTask(step: Step): Promise<StepResult> {
  const { provider, job, context } = step
  const callbackUrl = await callbackUrlOf(context.callbackBaseUrl, provider, job)
  // Closing does not cut a submit short: what comes of it is worth money.
  const report = await askProvider(step, step.lost, (call) =>
    provider.submit(taskOf(job), callbackUrl === undefined ? call : { ...call, callbackUrl }),
  )
  if (report === undefined) return postponed(step)
  if (report.state === 'refused')
    return { event: { type: 'refused', retryAt: retryAt(step, report.retryAfterMs) } }
  return resultOf(step, report)
}

/** The task was submitted, or was about to be, and nobody knows what came of it. */
export async function recoverSubmit(step: Step): Promise<StepResult> {
  const { provider, job, context } = step
  const asked = askWithToken(step)
  if (asked) return asked
  if (context.onAmbiguousSubmit === 'resubmit') return submitTask(step)

  const graceMs = (job.startedAt ?? 0) + callbackGraceMs - context.clock.now()
  if (provider.readCallback && graceMs > 0) return postponed(step, graceMs)
  return failed(
    'submit_ambiguous',
    'It is not known whether the provider has taken the job on, and to ask again could cost twice.',
  )
}

/**
 * Asks after the task without its handle, which costs nothing.
 * @returns `undefined` when the provider can't be asked so
 */
export function askWithToken(step: Step): Promise<StepResult> | undefined {
  const { dedupesSubmits, find } = step.provider
  return dedupesSubmits ? submitTask(step) : find && findTask(step)
}

async function findTask(step: Step): Promise<StepResult> {
  const { provider, job, context } = step
  const answer = await callProvider(step, context.closing, async (call) => provider.find?.(taskOf(job), call))
  if ('fault' in answer) return postponed(step)
  // Not submitted in this step: by now the claim may be another's, and only the store can tell.
  if (answer.value === undefined) return { event: { type: 'refused', retryAt: context.clock.now() } }
  const found = checkReport(answer.value)
  return typeof found === 'string' || found.state === 'refused' ? postponed(step) : resultOf(step, found)
}
