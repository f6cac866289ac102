import type { ProviderTask } from '../contracts/provider-task.ts'
import type { FurtherSubmit, ProviderReport, RunningReport } from '../contracts/provider-report.ts'
import type { SubmitInput } from '../contracts/plugin/plugin-inputs.ts'
import type { Reservation } from '../contracts/plugin/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import type { CallKind } from '../routing/breaker.ts'
import type { AfterRefusal } from '../routing/routes.ts'
import { askProvider, callProvider } from './ask-provider.ts'
import { checkReport } from '../outputs/check-report.ts'
import { shortText } from '../text/short-text.ts'
import type { Setback } from '../contracts/job.ts'
import type { ProviderAnswer } from './trouble-teller.ts'
import { type Step, submittedTaskOf, taskOf, mayReturn, submitterState } from './step.ts'
import {
  failed,
  nextAt,
  notListed,
  notNow,
  postponed,
  retryAt,
  type StepResult,
  resultOf,
  unanswered,
  waiting,
  waitMs,
  whyRefused,
} from './step-result.ts'

/**
 * After a submit with an unknown outcome: for how long to wait for a callback before the job fails, from the first step that
 * finds nobody who has the answer.
 */
const callbackGraceMs = 120_000
/** For how long to look for a task that the provider has not found so far, and how often at least. */
const searchMs = 60_000
const leastSearches = 3

/**
 * Submits the task by the step's route. If it is clear that the provider has not taken the task on, names the next
 * route.
 */
export function submitTask(step: Step): Promise<StepResult> {
  const preparedInput = step.context.plugins.submitInput(step.job)
  return preparedInput instanceof Promise
    ? preparedInput.then((read) => submitInput(step, read))
    : submitInput(step, preparedInput)
}

async function submitInput(step: Step, preparedInput: SubmitInput): Promise<StepResult> {
  if ('gone' in preparedInput) return failed('input_fetch_failed', preparedInput.gone)
  if ('later' in preparedInput)
    return { event: { type: 'refused', retryAt: retryAt(step), ...preparedInput.later } }
  let report: Awaited<ReturnType<typeof submit>>
  try {
    let task: ProviderTask
    try {
      const made = taskOf(step, preparedInput.input)
      task = made instanceof Promise ? await made : made
    } catch (error) {
      return tryOthers(step, { message: shortText(error) }, step.routes.refused(step.route, step.job))
    }
    // Another route of a model may cost more than the one whose price is reserved.
    const reserving = step.route.name === undefined ? undefined : reservationFor(step, task, false)
    const held = reserving && (await reserving.then((reservation) => reservation && hold(step, reservation)))
    if (held instanceof Error) return failed('insufficient_quota', held.message, 0)
    report = held ?? (await submit(step, task, 'submit'))
  } finally {
    preparedInput.letGo()
  }
  const { clock, closing, givingUp } = step.context
  if (report === notMade)
    return { event: { type: 'refused', retryAt: closing.hasEnded ? clock.now() : retryAt(step) } }
  if (report === undefined || report.state === 'unknown') return unanswered(step, givingUp)
  if (report.state === 'refused') {
    const others = step.routes.refused(step.route, step.job, report.retryAfterMs)
    return tryOthers(step, report, others, whyRefused(report))
  }
  if (report.state === 'failed' && report.isAccountAtFault) {
    const others = step.routes.rejected(step.route, step.job)
    if (others) return tryOthers(step, report, others, 'account')
  }
  return resultOf(step, report)
}

/** What the job must reserve before a submit, or why it may not be made. @returns `undefined` when enough is reserved */
function reservationFor({ context, job, provider }: Step, task: ProviderTask, isRepeated: boolean) {
  return context.plugins.reserve({ job, provider, task, isRepeated })
}

/**
 * Records that the job is about to be submitted, with what it reserves.
 * @returns `undefined` when the submit may be made; the error of a budget without room
 */
async function hold(
  step: Step,
  reservation?: Reservation | Error,
): Promise<typeof notMade | GenerationError | undefined> {
  if (reservation instanceof Error) return reservation instanceof GenerationError ? reservation : notMade
  const recorded = await step.submits(reservation)
  if (recorded instanceof Error) return new GenerationError('insufficient_quota', recorded.message)
  return recorded ? undefined : notMade
}

/**
 * Submits a task again that the provider may have taken on. Whatever the outcome is, no other route may be tried: a
 * provider that refuses the task now may have taken it on before.
 * @param mayCostTwice whether the provider may take it on a second time
 */
async function submitAgain(step: Step, mayCostTwice: boolean): Promise<StepResult> {
  const { provider, job, context } = step
  const preparedInput = await context.plugins.submitInput(job)
  let report: Awaited<ReturnType<typeof submit>>
  try {
    const task = await acceptedTaskOf(step, preparedInput)
    const reserving = task && mayCostTwice ? reservationFor(step, task, true) : undefined
    const held = task && (await hold(step, await reserving))
    if (held instanceof Error) return failed('submit_ambiguous', `${unknownOutcome} ${held.message}`)
    report = task && (held ?? (await submit(step, task, 'ask')))
  } finally {
    if ('letGo' in preparedInput) preparedInput.letGo()
  }
  if (report === notMade) return unanswered(step, context.closing)
  if (report === undefined || report.state === 'unknown') return unanswered(step, context.givingUp)
  if (report.state === 'refused') return notNow(step, report)
  if (report.state !== 'failed' || !report.isAccountAtFault) return resultOf(step, report)
  context.trouble.refused(job, provider.name, report)
  return postponed(step, 'account')
}

/** @returns `undefined` when the route does not accept the input any more, or an upload can't be read */
async function acceptedTaskOf(step: Step, preparedInput: SubmitInput): Promise<ProviderTask | undefined> {
  try {
    return 'input' in preparedInput ? await taskOf(step, preparedInput.input) : undefined
  } catch {
    return undefined
  }
}

/** @returns `undefined` when the outcome is unknown */
async function submit(
  step: Step,
  task: ProviderTask,
  kind: CallKind,
): Promise<Awaited<ReturnType<typeof askProvider>> | typeof notMade> {
  const { provider, job, context } = step
  const made = context.plugins.callbackUrlOf(job, provider)
  const callbackUrl = made && (await made)
  const confirmed = step.confirm()
  const isCertain = confirmed instanceof Promise ? await confirmed : confirmed
  // Nothing may be awaited between this check and the call: only the process that holds the claim at that moment may
  // submit.
  if (!isCertain || context.closing.hasEnded) return notMade
  // A submit continues when the service begins to close or another process takes the job over, because its answer is
  // worth money. It is aborted when the time of `close()` is up, so that the job is stored as one without an answer.
  const end = context.submits.begin(step)
  try {
    return await askProvider(
      step,
      context.givingUp,
      (call) => provider.submit(task, callbackUrl === undefined ? call : { ...call, callbackUrl }),
      kind,
    )
  } finally {
    end()
  }
}

/**
 * Makes a further submit of a running task. Whatever becomes of it, the task goes on.
 * @returns the provider's report on the whole task
 */
export async function submitFurther(step: Step, further: FurtherSubmit): Promise<RunningReport> {
  const { context, job, provider } = step
  const preparedInput = await context.plugins.submitInput(job)
  let report: ProviderReport | typeof notMade | undefined = notMade
  try {
    if ('gone' in preparedInput)
      report = { state: 'failed', code: 'input_fetch_failed', message: preparedInput.gone }
    const task = await acceptedTaskOf(step, preparedInput)
    if (task && !context.closing.hasEnded && (await step.submits(undefined, further.handle)) === true)
      report = await submit(step, further.taskOf(task), 'submit')
  } finally {
    if ('letGo' in preparedInput) preparedInput.letGo()
  }
  if (report === notMade) report = { state: 'refused', message: notMade }
  else if (report?.state === 'refused') context.trouble.refused(job, provider.name, report)
  const whole = checkReport(further.reportOf(report))
  return typeof whole !== 'string' && whole.state === 'running'
    ? whole
    : { state: 'running', handle: further.handle }
}

/** No submit was made, because the claim might not have lasted long enough or the service closes. */
const notMade = 'not made'

/**
 * Names the next route, or a time to try all routes again. Writes a log line, unless the only fault is a failed
 * connection, which is already in the log.
 */
function tryOthers(
  step: Step,
  answer: ProviderAnswer & { readonly message: string; readonly isUnreached?: boolean },
  { next, pauseMs }: AfterRefusal,
  why?: Setback['why'],
): StepResult {
  const { provider, job, context } = step
  if (next || !answer.isUnreached) context.trouble.refused(job, provider.name, answer, next?.name)
  if (!next) return { event: { type: 'refused', retryAt: retryAt(step, pauseMs), why } }
  return { event: { type: 'refused', retryAt: context.clock.now(), nextRoute: next.name, why } }
}

const unknownOutcome =
  'It is not known whether the provider has taken the job on, and a second submit could cost twice.'

/** Takes the next step of a job that was about to be submitted, or was submitted, with an unknown outcome. */
export async function recoverSubmit(step: Step): Promise<StepResult> {
  const { provider, context } = step
  const answer = await askWithToken(step)
  if (answer) return answer
  const submitter = await submitterState(step)
  if (submitter === 'alive') return waiting(step)
  // The process that began the submit may only be cut off from the backend, and still have the provider's answer.
  if (submitter === 'ended' && mayReturn(step, step.job.unknown?.since))
    return { event: { type: 'unknown', retryAt: nextAt(step, waitMs) } }
  if (context.onAmbiguousSubmit === 'resubmit' && !isUnwanted(step)) return submitAgain(step, true)

  const hasCallbacks = provider.readCallback !== undefined && context.plugins.takesCallbacks
  const graceMs = callbackGraceMs - unknownForMs(step)
  if (hasCallbacks && graceMs > 0) return { event: { type: 'unknown', retryAt: nextAt(step, graceMs) } }
  const why = isUnwanted(step)
    ? 'It is not known whether the provider has taken the job on, which was canceled during its submit.'
    : unknownOutcome
  return failed('submit_ambiguous', why)
}

/**
 * Looks for a task whose handle is not known, in a way that can't cost money: by a repeated submit if the provider
 * dedupes submits, otherwise by `find`.
 * @returns `undefined` when the provider has neither, or has not found the task for long enough
 */
export async function askWithToken(step: Step): Promise<StepResult | undefined> {
  const { dedupesSubmits, find } = step.provider
  // The provider may not have the task yet. No submit begins for a job that its owner has canceled.
  if (dedupesSubmits && !isUnwanted(step)) return submitAgain(step, false)
  return find && findTask(step)
}

/** Whether the owner has asked to cancel the job. */
function isUnwanted({ job }: Step): boolean {
  return job.cancelAskedAt !== undefined
}

/**
 * Whether the submit may still be on its way to the provider, because the process that began the submit is running and
 * has not recorded that the submit is over. That process may be frozen just before the call.
 */
async function mayStillArrive(step: Step): Promise<boolean> {
  return (await submitterState(step)) === 'alive'
}

/**
 * For how many milliseconds the outcome of the submit is known to be unknown; 0 at first. It is not measured from
 * `startedAt`, which stays as owners see it when the clock is set.
 */
function unknownForMs({ job, context: { clock } }: Step): number {
  const now = clock.now()
  return now - (job.unknown?.since ?? now)
}

async function findTask(step: Step): Promise<StepResult | undefined> {
  const { provider, job, context } = step
  // This is read before the provider is called: a process that ends after the answer may have submitted the task after
  // the answer.
  const mayArrive = await mayStillArrive(step)
  const callbackUrl = await context.plugins.callbackUrlOf(job, provider)
  const answer = await callProvider(step, context.closing, async (call) =>
    provider.find?.(await submittedTaskOf(step), { ...call, callbackUrl, submittedAt: job.startedAt }),
  )
  if ('fault' in answer)
    return answer.fault === 'unreached' ? postponed(step, 'unreached') : unanswered(step, context.closing)
  // This step does not submit the task. Another process may hold the claim by now, which only a write to the store
  // shows.
  if (answer.value === undefined)
    return mayArrive ? waiting(step) : { event: { type: 'refused', retryAt: context.clock.now() } }
  const report = checkReport(answer.value)
  if (typeof report === 'string') return postponed(step, 'no_answer')
  if (report.state === 'refused') return notNow(step, report)
  if (report.state !== 'unknown') return resultOf(step, report)
  // The task is not found so far, perhaps because the vendor's list lags behind.
  const { count = 0 } = job.unknown ?? {}
  return unknownForMs(step) >= searchMs && count + 1 >= leastSearches ? undefined : notListed(step)
}
