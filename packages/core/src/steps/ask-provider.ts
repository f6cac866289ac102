import type { ProviderCall, ProviderReport } from '../contracts/provider.ts'
import type { Ending } from '../pacing/ending.ts'
import type { CallKind } from '../routing/breaker.ts'
import { isNeverConnected } from '../addresses/never-connected.ts'
import { checkReport } from './check-report.ts'
import { shortText } from '../text/short-text.ts'
import type { Step } from './step.ts'
import { whenTimeIsUp } from '../pacing/within-limit.ts'

/** How a call came out. `unreached`: it has had no effect. `unknown`: it may or may not have had one. */
export type Answer<Value> = { readonly value: Value } | { readonly fault: 'unreached' | 'unknown' }

/**
 * Calls the provider once, under its time limit and until `cut` comes, whether or not it minds its signal; not at all
 * after it, nor for a submit while the provider is given no new jobs.
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
    // A shortage that has done no harm is told once for all jobs.
    const isTold = cut.hasEnded || (isShortage && fault === 'unreached')
    if (!isTold) context.log.warn(`Provider ${provider.name}, job ${job.id}: ${inWords(error)}`)
    return { fault }
  } finally {
    cancelTimer()
    uncut()
  }
}

/** Calls the provider for a report. @returns `undefined` when the outcome is unknown, nonsense included */
export async function askProvider(
  step: Step,
  cut: Ending,
  method: (call: ProviderCall) => Promise<ProviderReport>,
  kind?: CallKind,
): Promise<ProviderReport | undefined> {
  const answer = await callProvider(step, cut, async (call) => sensible(await method(call)), kind)
  if ('value' in answer) return answer.value
  return answer.fault === 'unknown'
    ? undefined
    : { state: 'refused', message: 'The provider could not be reached.' }
}

function sensible(word: unknown): ProviderReport {
  const report = checkReport(word)
  if (typeof report !== 'string') return report
  throw new Error(`${report}.`)
}

/** `fetch failed` alone does not say what is to be mended. */
function inWords(error: unknown): string {
  const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as { code?: unknown }
  return code === undefined ? shortText(error) : `${shortText(error)} (${shortText(code)})`
}
