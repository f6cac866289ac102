import type { ProviderCall, ProviderReport } from '../contracts/provider.ts'
import type { Ending } from './ending.ts'
import { checkReport } from './provider-report.ts'
import { shortText } from './short-text.ts'
import type { Step } from './step.ts'

const defaultCallTimeoutMs = 60_000

/** Codes of connections that were never made, in Node's and Bun's words; of ones that broke too, under a later call. */
const neverConnected = new Set<unknown>([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ConnectionRefused',
])
const connecting = new Set<unknown>(['connect', 'getaddrinfo', undefined])
/** Deno's fetch has no code for it, only these words. */
const denoNeverConnected = 'client error (Connect)'

/** How a call came out. `unknown`: it may or may not have had an effect. */
export type Answer<Value> = { readonly value: Value } | { readonly fault: 'never_connected' | 'unknown' }

/** Calls the provider once, under its time limit and until `cut` comes, whether or not it minds its signal; not at all after it. */
export async function callProvider<Value>(
  { context, provider, job }: Step,
  cut: Ending,
  method: (call: ProviderCall) => Promise<Value>,
): Promise<Answer<Value>> {
  if (cut.hasEnded) return { fault: 'unknown' }
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const abort = (reason: string) => {
    const error = new Error(reason)
    reject(error)
    controller.abort(error)
  }
  const timeoutMs = provider.callTimeoutMs ?? defaultCallTimeoutMs
  const cancelTimer = context.clock.after(timeoutMs, () => abort(`No answer within ${timeoutMs} ms.`))
  const uncut = cut.onEnd(() => abort('The service ended the call.'))
  try {
    return { value: await Promise.race([aborted, (async () => method({ signal: controller.signal }))()]) }
  } catch (error) {
    if (!cut.hasEnded) context.log.warn(`Provider ${provider.name}, job ${job.id}: ${shortText(error)}`)
    return { fault: isNeverConnected(error) ? 'never_connected' : 'unknown' }
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
): Promise<ProviderReport | undefined> {
  const answer = await callProvider(step, cut, method)
  if ('fault' in answer) {
    return answer.fault === 'unknown'
      ? undefined
      : { state: 'refused', message: 'The provider could not be reached.' }
  }
  const report = checkReport(answer.value)
  if (typeof report !== 'string') return report
  step.context.log.warn(`Provider ${step.provider.name}, job ${step.job.id}: ${report}.`)
  return undefined
}

function isNeverConnected(error: unknown): boolean {
  for (let fault = error, depth = 0; fault instanceof Error && depth < 5; fault = fault.cause, depth++) {
    const { code, syscall } = fault as { code?: unknown; syscall?: unknown }
    if (neverConnected.has(code) && connecting.has(syscall)) return true
    if (shortText(fault).includes(denoNeverConnected)) return true
  }
  return false
}
