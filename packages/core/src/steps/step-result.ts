import type { Job, Setback } from '../contracts/job.ts'
import type { JobNews, Output, ProviderReport } from '../contracts/provider-report.ts'
import { backOffMs } from '../pacing/pauses.ts'
import type { Ending } from '../contracts/ending.ts'
import { fileKeyOf } from '../job/file-key.ts'
import type { JobEvent, NextPoll } from '../job/job-event.ts'
import { longestPauseMs, storedOutputs } from '../job/job-state.ts'
import { minPollIntervalMs } from '../pacing/poll-schedule.ts'
import { firstWords } from '../text/short-text.ts'
import { mediaTypeOf } from '../text/media-type.ts'
import { checkOutput, maxNamed } from '../outputs/check-report.ts'
import type { ProviderAnswer } from './trouble-teller.ts'
import type { Step, StepContext } from './step.ts'
import type { Route } from '../routing/routes.ts'
import { claimedAheadUntil } from '../claims/claim-ahead.ts'

/** The outcome of a step: an event to write, or outputs to store, or both. The event is written first. */
export interface StepResult {
  readonly event?: JobEvent
  readonly outputs?: readonly Output[]
  /** What the outputs of a task that still runs have cost so far, in US dollars. */
  readonly costUsd?: number | undefined
  /** News for the listeners of the job. They are not stored. */
  readonly news?: JobNews
  /** The provider's answer for the log, in addition to the event. */
  readonly answer?: ProviderAnswer
}

/** The most outputs of a job. Each read of a job shows all of them. */
const maxOutputs = 1000
const maxBackOffMs = 60_000
/** The pause before looking again whether another process, which may be frozen, has ended, in milliseconds. */
export const waitMs = 5000
/** The shortest pause between two polls in milliseconds while the provider's callbacks arrive. */
const pollBesideCallbacksMs = 30_000
/** The shortest and the longest pause that a provider can ask for, in milliseconds. */
const pollHintBoundsMs = { min: 20, max: 600_000 }

/** What the step has to do after a report, unless the report is `refused` or `unknown`. */
export function resultOf(
  step: Step,
  report: Exclude<ProviderReport, { state: 'refused' | 'unknown' }>,
): StepResult {
  switch (report.state) {
    case 'running': {
      const { state: _, isAssumed: __, furtherSubmit: ___, handle, pollAfterMs, ...rest } = report
      const { outputs, costUsd, ...news } = rest
      const next = nextPoll(step, pollAfterMs)
      const until = claimedAheadUntil(step.context, next, step.context.clock.now())
      return {
        event: { ...next, until, type: 'running', handle, pollAfterMs },
        news,
        ...(outputs && { outputs: usableOutputs(step, { outputs }).outputs, costUsd }),
      }
    }
    case 'failed': {
      const { code, message, costUsd } = report
      return { ...failed(code, message, costUsd), answer: report }
    }
    case 'succeeded': {
      const { costUsd, tokens, inferenceMs = elapsedMs(step) } = report
      const { outputs, fault, words } = usableOutputs(step, report)
      const stored = storedOutputs(step.job)
      if (stored.length + outputs.length === 0)
        return {
          ...failed('output_invalid', `The provider has finished${fault}.`, costUsd),
          answer: { cause: words },
        }
      const whereabouts = outputs.map((output, index) => ({
        ...('url' in output ? { url: output.url } : { fileKey: fileKeyOf(step.job, stored.length + index) }),
        ...revisionOf(output),
      }))
      const all = [...stored, ...whereabouts]
      return { event: { type: 'succeeded', outputs: all, costUsd, inferenceMs, tokens }, outputs }
    }
  }
}

/**
 * The outputs that can be delivered. What is wrong with the others goes to the log if there is one that can.
 * @returns also why none can be delivered, for that case: the fault of the first of the others; and what the first text says
 *   that is among them
 */
function usableOutputs(
  { context, job, provider }: Step,
  { outputs, omitted = [] }: Pick<Succeeded, 'outputs' | 'omitted'>,
) {
  const isCopied = context.copyOutputs !== undefined
  const faults = outputs.map((output) => checkOutput(output, isCopied))
  const usable = outputs.filter((_, index) => faults[index] === undefined)
  const delivered = usable.slice(0, maxOutputs)
  const isSome = delivered.length + storedOutputs(job).length > 0
  if (isSome) {
    const beyond = usable.length - delivered.length
    const lost = [
      // First, because the line is cut at its end.
      ...(beyond > 0 ? [`${beyond} outputs beyond the first ${maxOutputs}`] : []),
      ...faultsOf(outputs, faults),
      ...omitted,
    ]
    if (lost.length > 0) context.trouble.omitted(job, provider.name, lost)
  }
  const fault = faults.find(Boolean)
  const text = isSome ? undefined : outputs.find(isText)
  return {
    outputs: delivered,
    fault: fault === undefined ? ` without ${nouns[job.outputKind]}` : `, but an output ${fault}`,
    words: text && wordsIn(text),
  }
}

/** What is wrong with the first of the outputs that can't be delivered, for the log. */
function faultsOf(outputs: readonly Output[], faults: readonly (string | undefined)[]): readonly string[] {
  const lost = [...faults.entries()].filter(([, fault]) => fault !== undefined).slice(0, maxNamed)
  return lost.map(
    ([index, fault]) => `output ${index + 1} of ${outputs.length} ${fault}${wordsIn(outputs[index]!) ?? ''}`,
  )
}

/** The prompt of an output, for a new record of the same output. */
export function revisionOf({ revisedPrompt }: Pick<Output, 'revisedPrompt'>): { revisedPrompt?: string } {
  return revisedPrompt === undefined ? {} : { revisedPrompt }
}

const nouns = { image: 'an image', video: 'a video' } as const

function isText(output: Output): output is Extract<Output, { readonly bytes: unknown }> {
  return 'bytes' in output && output.bytes.byteLength > 0 && mediaTypeOf(output.bytes) === undefined
}

/** What a text says that the provider gives as an output, such as a page or an error. For the log only. */
function wordsIn(output: Output): string | undefined {
  return isText(output) ? `: ${firstWords(output.bytes)}` : undefined
}

type Succeeded = Extract<ProviderReport, { state: 'succeeded' }>

export function failed(
  code: Extract<JobEvent, { type: 'failed' }>['code'],
  message: string,
  costUsd?: number,
): StepResult {
  return { event: { type: 'failed', code, message, costUsd } }
}

/**
 * The step changed nothing. The next try comes after a growing pause, or after `retryAfterMs` if that is longer.
 * @param why the reason in the error message if the job reaches its deadline. @default the reason of an earlier try
 */
export function postponed(step: Step, why?: Setback['why'], retryAfterMs?: number): StepResult {
  return { event: { type: 'postponed', retryAt: retryAt(step, retryAfterMs), why } }
}

/** The provider does not know the task at this moment. The pause before it is asked again grows with each such answer. */
export function notListed(step: Step): StepResult {
  const pauseMs = backOffMs(step.job.unknown?.count ?? 0, maxBackOffMs)
  return { event: { type: 'unknown', retryAt: nextAt(step, pauseMs), why: 'unknown_task' } }
}

/** The step waits for another process, which may still have the task or its outputs. */
export function waiting(step: Step): StepResult {
  return { event: { type: 'postponed', retryAt: nextAt(step, waitMs), isWait: true } }
}

/**
 * The provider has not answered, so the step changed nothing.
 * @param cut what ends the call when the service closes. If it has ended, the provider did not cause the failure
 */
export function unanswered(step: Step, cut: Ending): StepResult {
  return cut.hasEnded ? { event: { type: 'interrupted' } } : postponed(step, 'no_answer')
}

/**
 * The step changed nothing, because the provider has refused the call. Writes a log line, unless no connection was
 * made.
 */
export function notNow(step: Step, report: Refusal): StepResult {
  const { context, job, provider } = step
  if (!report.isUnreached) context.trouble.refused(job, provider.name, report)
  return postponed(step, whyRefused(report), report.retryAfterMs)
}

/** A refusal of the provider, or a call that made no connection. */
export type Refusal = Extract<ProviderReport, { state: 'refused' }> & { readonly isUnreached?: boolean }

/** The reason of a refusal for the job's owner. */
export function whyRefused({ isUnreached }: Refusal): Setback['why'] {
  return isUnreached ? 'unreached' : 'busy'
}

/**
 * When to try again: after a growing pause or after `retryAfterMs`, whichever is longer, but not after the deadline.
 */
export function retryAt(step: Step, retryAfterMs = 0): number {
  return nextAt(step, Math.max(backOffMs(step.job.attempts, maxBackOffMs), retryAfterMs))
}

/** The instant after a pause, but not after the deadline. */
export function nextAt({ job, context }: Step, pauseMs: number): number {
  return upToDeadline(job, context.clock.now() + Math.min(longestPauseMs, pauseMs))
}

/**
 * When to poll next: at the time that the provider asks for, within bounds. If it asks for none, the schedule decides
 * (`dueAt`), and a client who reads the job can cause an earlier poll (`earliestAt`).
 */
function nextPoll(
  step: Pick<Step, 'context' | 'job' | 'provider'>,
  pollAfterMs: number | undefined,
): { earliestAt: number; dueAt: number } {
  const { context, job } = step
  const now = context.clock.now()
  if (pollAfterMs !== undefined) {
    const { min, max } = pollHintBoundsMs
    const at = upToDeadline(job, now + Math.min(max, Math.max(min, pollAfterMs)))
    return { earliestAt: at, dueAt: at }
  }
  const delayMs = pollDelayMs(step)
  return { earliestAt: upToDeadline(job, now + minPollIntervalMs), dueAt: upToDeadline(job, now + delayMs) }
}

function pollDelayMs(step: Pick<Step, 'context' | 'job' | 'provider'>): number {
  const { context, job, provider } = step
  const { plugins, schedule } = context
  const delayMs = schedule.delayMs(job, elapsedMs(step))
  return plugins.callbacksArrive(provider.name) ? Math.max(delayMs, pollBesideCallbacksMs) : delayMs
}

/**
 * For how long the provider has had the task. If the submit was before this process lived, nobody knows whether the clock
 * was set since, so it is at most as long as a task may take.
 */
function elapsedMs({ context, job }: Pick<Step, 'context' | 'job'>): number {
  const { clock, clockSteps, deadlineMsOf } = context
  if (job.startedAt === undefined) return 0
  const sinceMs = Math.max(0, clock.now() - job.startedAt)
  return clockSteps.elapsedSince(job.startedAt) ?? Math.min(sinceMs, deadlineMsOf(job.model))
}

function upToDeadline(job: Job, at: number): number {
  return Math.round(Math.min(at, job.deadlineAt))
}

/**
 * The next poll, if the poll that begins now may be quiet, which means that it writes nothing if there is no news. The
 * job must have none of the fields that this poll would have to clear.
 * @returns `undefined` when the outcome must be written in any case
 */
export function quietPoll(context: StepContext, job: Job, route: Route | undefined): NextPoll | undefined {
  const { processes, isInThisProcess, clock } = context
  // Without `processes` a claim that has run out must mean that its process has died.
  if (job.phase !== 'running' || !route || !(processes || isInThisProcess)) return undefined
  const isUneventful =
    job.attempts === 0 && !job.claim?.deaths && !job.unknown && !job.isHinted && !job.cancelAskedAt
  const isHandedOver = job.claim?.until === undefined || job.claim.isQuiet
  if (!isUneventful || !isHandedOver) return undefined
  const next = nextPoll({ context, job, provider: route.provider }, job.pollAfterMs)
  return next.earliestAt - clock.now() < minPollIntervalMs ? undefined : next
}

/** Whether the outcome of a quiet poll is that there is no news. */
export function isNoNews(job: Job, event: JobEvent | undefined): boolean {
  return (
    job.claim?.isQuiet === true &&
    event?.type === 'running' &&
    event.pollAfterMs === job.pollAfterMs &&
    JSON.stringify(event.handle) === JSON.stringify(job.handle)
  )
}
