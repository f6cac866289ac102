import type { ProviderReport, ProviderTask } from '../contracts/provider.ts'
import type { CallKind } from '../routing/breaker.ts'
import type { AfterRefusal } from '../routing/routes.ts'
import { askProvider, callProvider } from './ask-provider.ts'
import { callbackUrlOf } from './callbacks.ts'
import { checkReport } from './provider-report.ts'
import { shortText } from './short-text.ts'
import { type Step, submittedTaskOf, taskOf } from './step.ts'
import { failed, postponed, retryAt, type StepResult, resultOf } from './step-result.ts'

/** How long after its submit a job may still be adopted by the provider's callback. */
const callbackGraceMs = 120_000

/** Submits the task by the step's route. One that has clearly not taken it on is followed by the next. */
export async function submitTask(step: Step): Promise<StepResult> {
  let task: ProviderTask
  try {
    task = await taskOf(step)
  } catch (error) {
    return tryOthers(step, shortText(error), step.routes.refused(step.route))
  }
  const report = await submit(step, task, 'submit')
  if (report === undefined || report.state === 'unknown') return postponed(step)
  if (report.state === 'refused')
    return tryOthers(step, report.message, step.routes.refused(step.route, report.retryAfterMs))
  if (report.state === 'failed' && report.isAccountAtFault) {
    const others = step.routes.rejected(step.route)
    if (others) return tryOthers(step, report.message, others)
  }
  return resultOf(step, report)
}

/**
 * Submits again what may have been taken on. Whatever comes of it, no other route may be tried: one that refuses now may
 * have taken it on before.
 */
async function submitAgain(step: Step): Promise<StepResult> {
  const task = await taskOf(step).catch(() => undefined)
  const report = task && (await submit(step, task, 'ask'))
  if (report === undefined || report.state === 'unknown') return postponed(step)
  if (report.state === 'refused') return postponed(step, report.retryAfterMs)
  return report.state === 'failed' && report.isAccountAtFault ? postponed(step) : resultOf(step, report)
}

async function submit(step: Step, task: ProviderTask, kind: CallKind): Promise<ProviderReport | undefined> {
  const { provider, job, context } = step
  const callbackUrl = await callbackUrlOf(context.callbackBaseUrl, provider, job)
  // Closing does not cut a submit short: what comes of it is worth money.
  return askProvider(
    step,
    step.lost,
    (call) => provider.submit(task, callbackUrl === undefined ? call : { ...call, callbackUrl }),
    kind,
  )
}

function tryOthers(step: Step, message: string, { next, pauseMs }: AfterRefusal): StepResult {
  const { route, job, context } = step
  if (!next) return { event: { type: 'refused', retryAt: retryAt(step, pauseMs) } }
  context.log.warn(`Job ${job.id}: ${route.name} does not take it on (${message}) and ${next.name} is next.`)
  return { event: { type: 'refused', retryAt: context.clock.now(), nextRoute: next.name } }
}

/** The task was submitted, or was about to be, and nobody knows what came of it. */
export async function recoverSubmit(step: Step): Promise<StepResult> {
  const { provider, job, context } = step
  const asked = askWithToken(step)
  if (asked) return asked
  if (context.onAmbiguousSubmit === 'resubmit') return submitAgain(step)

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
  return dedupesSubmits ? submitAgain(step) : find && findTask(step)
}

async function findTask(step: Step): Promise<StepResult> {
  const { provider, job, context } = step
  const callbackUrl = await callbackUrlOf(context.callbackBaseUrl, provider, job)
  const answer = await callProvider(step, context.closing, async (call) =>
    provider.find?.(await submittedTaskOf(step), { ...call, callbackUrl, submittedAt: job.startedAt }),
  )
  if ('fault' in answer) return postponed(step)
  // Not submitted in this step: by now the claim may be another's, and only the store can tell.
  if (answer.value === undefined) return { event: { type: 'refused', retryAt: context.clock.now() } }
  const found = checkReport(answer.value)
  const isNews = typeof found !== 'string' && found.state !== 'refused' && found.state !== 'unknown'
  return isNews ? resultOf(step, found) : postponed(step)
}
