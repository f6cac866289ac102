import type { ProviderReport, ProviderTask } from '../contracts/provider.ts'
import type { CallKind } from '../routing/breaker.ts'
import type { AfterRefusal } from '../routing/routes.ts'
import { askProvider, callProvider } from './ask-provider.ts'
import { callbackUrlOf } from '../callbacks/callback-url.ts'
import { ending } from '../pacing/ending.ts'
import { checkReport } from './check-report.ts'
import { shortText } from '../text/short-text.ts'
import { leastUnknown } from './poll-task.ts'
import { type Step, submittedTaskOf, taskOf } from './step.ts'
import { failed, postponed, retryAt, type StepResult, resultOf } from './step-result.ts'

/** How long after its submit a job waits for the provider's callback before it is given up. */
const callbackGraceMs = 120_000
/** How long after its submit a task is looked for that the provider has not found so far. */
const searchMs = 60_000

/** Submits the task by the step's route. One that has clearly not taken it on is followed by the next. */
export async function submitTask(step: Step): Promise<StepResult> {
  let task: ProviderTask
  try {
    task = await taskOf(step)
  } catch (error) {
    return tryOthers(step, shortText(error), step.routes.refused(step.route))
  }
  const report = await submit(step, task, 'submit')
  if (report === notMade) return { event: { type: 'refused', retryAt: retryAt(step) } }
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
  if (report === undefined || report === notMade || report.state === 'unknown') return postponed(step)
  if (report.state === 'refused') return postponed(step, report.retryAfterMs)
  return report.state === 'failed' && report.isAccountAtFault ? postponed(step) : resultOf(step, report)
}

/** @returns `undefined` when the outcome is unknown */
async function submit(
  step: Step,
  task: ProviderTask,
  kind: CallKind,
): Promise<ProviderReport | typeof notMade | undefined> {
  const { provider, job, context } = step
  const callbackUrl = await callbackUrlOf(context.callbackBaseUrl, provider, job)
  // Nothing is awaited between this and the call: whoever holds the job by now may submit it, and nobody else.
  if (!(await step.confirm())) return notMade
  // Neither closing nor losing the job cuts a submit short: what comes of it is worth money.
  return askProvider(
    step,
    never,
    (call) => provider.submit(task, callbackUrl === undefined ? call : { ...call, callbackUrl }),
    kind,
  )
}

/** The claim was too old to pay for anything. */
const notMade = 'not made'
const never = ending()

function tryOthers(step: Step, message: string, { next, pauseMs }: AfterRefusal): StepResult {
  const { route, job, context } = step
  if (!next) return { event: { type: 'refused', retryAt: retryAt(step, pauseMs) } }
  context.log.warn(`Job ${job.id}: ${route.name} does not take it on (${message}) and ${next.name} is next.`)
  return { event: { type: 'refused', retryAt: context.clock.now(), nextRoute: next.name } }
}

/** The task was submitted, or was about to be, and nobody knows what came of it. */
export async function recoverSubmit(step: Step): Promise<StepResult> {
  const { provider, job, context } = step
  const asked = await askWithToken(step)
  if (asked) return asked
  if (context.onAmbiguousSubmit === 'resubmit') return submitAgain(step)

  const hasCallbacks = provider.readCallback !== undefined && context.callbackBaseUrl !== undefined
  const graceMs = (job.startedAt ?? 0) + callbackGraceMs - context.clock.now()
  if (hasCallbacks && graceMs > 0) return postponed(step, graceMs)
  return failed(
    'submit_ambiguous',
    'It is not known whether the provider has taken the job on, and to ask again could cost twice.',
  )
}

/**
 * Asks after the task without its handle, which costs nothing.
 * @returns `undefined` when the provider can't be asked so, or has not found the task for long
 */
export async function askWithToken(step: Step): Promise<StepResult | undefined> {
  const { dedupesSubmits, find } = step.provider
  if (dedupesSubmits) return submitAgain(step)
  return find && findTask(step)
}

async function findTask(step: Step): Promise<StepResult | undefined> {
  const { provider, job, context } = step
  const callbackUrl = await callbackUrlOf(context.callbackBaseUrl, provider, job)
  const answer = await callProvider(step, context.closing, async (call) =>
    provider.find?.(await submittedTaskOf(step), { ...call, callbackUrl, submittedAt: job.startedAt }),
  )
  if ('fault' in answer) return postponed(step)
  // Not submitted in this step: by now the claim may be another's, and only the store can tell.
  if (answer.value === undefined) return { event: { type: 'refused', retryAt: context.clock.now() } }
  const found = checkReport(answer.value)
  if (typeof found === 'string') return postponed(step)
  if (found.state === 'refused') return postponed(step, found.retryAfterMs)
  if (found.state !== 'unknown') return resultOf(step, found)
  // Not found so far. The lists of vendors lag behind.
  const isSearched = context.clock.now() - (job.startedAt ?? 0) >= searchMs
  const { count = 0 } = job.unknown ?? {}
  return isSearched && count + 1 >= leastUnknown
    ? undefined
    : { event: { type: 'unknown', retryAt: retryAt(step) } }
}
