import type { ProviderCall, ProviderReport } from '../contracts/provider.ts'
import type { Ending } from '../pacing/ending.ts'
import type { CallKind } from '../routing/breaker.ts'
import { isNeverConnected } from '../addresses/never-connected.ts'
import { checkReport } from './check-report.ts'
import type { Step } from './step.ts'
import type { Refusal } from './step-result.ts'
import { whenTimeIsUp } from '../pacing/within-limit.ts'

/**
 * The outcome of a call. `unreached`: the call certainly had no effect. `unknown`: nobody knows whether the call had an
 * effect.
 */
export type Answer<Value> = { readonly value: Value } | { readonly fault: 'unreached' | 'unknown' }

/**
 * Calls the provider once. Waits for an answer until `callTimeoutMs` has passed or `cut` ends, even if the provider
 * ignores its signal. Makes no call when `cut` has ended already, and no submit while the provider is given no new
 * jobs.
 */
export async function callProvider<Value>(
  { context, provider, job, route: { gate } }: Step,
  cut: Ending,
  method: (call: ProviderCall) => Promise<Value>,
  kind: CallKind = 'ask',
): Promise<Answer<Value>> {
  if (cut.hasEnded) return { fault: 'unknown' }
  const end = gate.breaker.begin(kind, job)
  if (!end) return { fault: 'unreached' }
  const { callTimeoutMs } = gate
  let cancelTimer = () => {}
  let uncut = () => {}
  try {
    const value = await new Promise<Value>((resolve, reject) => {
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
    end('answered')
    return { value }
  } catch (error) {
    const fault = isNeverConnected(error) ? 'unreached' : 'unknown'
    const isShortage = gate.shortage.notice(error)
    end(cut.hasEnded || isShortage ? 'cut' : 'fault')
    // If a shortage has done no harm, the shortage watch has written one line for all jobs.
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
 * @returns `undefined` when the outcome is unknown, or when the report makes no sense
 */
export async function askProvider(
  step: Step,
  cut: Ending,
  method: (call: ProviderCall) => Promise<ProviderReport>,
  kind?: CallKind,
): Promise<Exclude<ProviderReport, { state: 'refused' }> | Refusal | undefined> {
  const answer = await callProvider(step, cut, async (call) => sensible(await method(call)), kind)
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
