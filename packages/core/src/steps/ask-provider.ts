import type { ProviderCall } from '../contracts/provider.ts'
import type { ProviderReport } from '../contracts/provider-report.ts'
import type { Ending } from '../contracts/ending.ts'
import type { CallKind } from '../routing/breaker.ts'
import { isNeverConnected } from '../addresses/never-connected.ts'
import { checkReport } from '../outputs/check-report.ts'
import type { Step } from './step.ts'
import type { Refusal } from './step-result.ts'
import { whenTimeIsUp } from '../pacing/within-limit.ts'

/** The outcome of a call. `unreached`: the call certainly had no effect. `unknown`: the call may have had an effect. */
export type Answer<Value> = { readonly value: Value } | { readonly fault: 'unreached' | 'unknown' }

/**
 * Calls the provider once. Waits for an answer until `callTimeoutMs` has passed or `cut` ends, even if the provider
 * ignores its signal. Makes no call when `cut` has ended already, and no submit while the provider gets no new jobs.
 * @param read reads the answer; if it throws, the call counts as one without an answer. @default the answer as it is
 */
export async function callProvider<Said, Value = Said>(
  { context, provider, job, route: { gate, model } }: Step,
  cut: Ending,
  method: (call: ProviderCall) => Promise<Said>,
  kind: CallKind = 'ask',
  read: (said: Said) => Value = (said) => said as unknown as Value,
): Promise<Answer<Value>> {
  if (cut.hasEnded) return { fault: 'unknown' }
  const end = gate.breaker.begin(kind, job)
  if (!end) return { fault: 'unreached' }
  const callTimeoutMs = gate.callTimeoutMsOf(model)
  let cancelTimer = () => {}
  let uncut = () => {}
  try {
    const said = await new Promise<Said>((resolve, reject) => {
      const controller = new AbortController()
      const abort = (reason: string) => {
        const error = new Error(reason)
        reject(error)
        controller.abort(error)
      }
      cancelTimer = whenTimeIsUp(context.clock, callTimeoutMs, () =>
        abort(`No answer within ${callTimeoutMs} ms.`),
      )
      uncut = cut.onEnd(() => abort('The service ended the call.'))
      Promise.resolve(method({ signal: controller.signal })).then(resolve, reject)
    })
    const value = read(said)
    end(kind === 'poll' && isUnknown(value) ? 'unknown' : 'answered')
    return { value }
  } catch (error) {
    const fault = isNeverConnected(error) ? 'unreached' : 'unknown'
    const isShortage = gate.shortage.notice(error)
    end(cut.hasEnded || isShortage ? 'cut' : 'fault')
    // If a shortage has done no harm, the shortage watch has already written one line for all jobs.
    const isTold = cut.hasEnded || (isShortage && fault === 'unreached')
    if (!isTold) context.trouble.unanswered(job, provider.name, error)
    return { fault }
  } finally {
    cancelTimer()
    uncut()
  }
}

/**
 * Calls the provider for a report.
 * @returns `undefined` when the outcome is unknown, or when the report is not valid
 */
export function askProvider(
  step: Step,
  cut: Ending,
  method: (call: ProviderCall) => Promise<ProviderReport>,
  kind?: CallKind,
): Promise<Report | undefined> {
  return callProvider(step, cut, method, kind, sensible).then(reportIn)
}

function isUnknown(report: unknown): boolean {
  return (report as ProviderReport).state === 'unknown'
}

type Report = Exclude<ProviderReport, { state: 'refused' }> | Refusal

function reportIn(answer: Answer<ProviderReport>): Report | undefined {
  if ('value' in answer) return answer.value
  return answer.fault === 'unknown'
    ? undefined
    : { state: 'refused', message: 'The provider could not be reached.', isUnreached: true }
}

function sensible(word: unknown): ProviderReport {
  const report = checkReport(word)
  if (typeof report !== 'string') return report
  throw new Error(`${report}.`)
}
