import assert from 'node:assert/strict'
import type { Provider, ProviderCall } from '@genmount/core'
import type { ProxyFault } from '../../fault-proxy/proxy-fault.ts'
import { type ProxiedRequest, startFaultProxy } from '../../fault-proxy/start-fault-proxy.ts'
import type { HostedProviderSubject } from './provider-subject.ts'
import type { ProviderTrial } from './task-run.ts'

/** The result of one call of a provider. */
export interface FaultyRun<T> {
  readonly outcome: PromiseSettledResult<T>
  /** What the call sent, in order. */
  readonly requests: readonly ProxiedRequest[]
  /** The index of the first request that failed. Absent if the call sent too few requests. */
  readonly faultAt?: number
}

/** The connection between a provider and its vendor, on which the requests of a call can be made to fail. */
export interface FaultyLine {
  /** The base URL of a server of another origin, to which requests must not go. */
  readonly elsewhere: string
  /** The requests that have arrived there. */
  readonly strayed: readonly ProxiedRequest[]
  /** Makes a provider whose requests use this connection. */
  connect(): Provider
  /**
   * Makes one call. With the fault `'silence'` the signal of the call aborts as soon as the request has arrived.
   * @param faultAt the index of the first request of the call that fails; all later ones fail too
   * @throws Error when the call does not return within `finishWithinMs`, or `settleWithinMs` after the abort
   */
  run<T>(
    make: (call: ProviderCall) => Promise<T>,
    fault?: ProxyFault,
    faultAt?: number,
  ): Promise<FaultyRun<T>>
}

/** Runs a case with a connection of its own. Skips the case for a provider whose requests can't be made to fail. */
export function overFaultyLine(
  run: (trial: ProviderTrial, line: FaultyLine, hosted: HostedProviderSubject) => Promise<void>,
) {
  return async (trial: ProviderTrial): Promise<void> => {
    const { hosted, finishWithinMs = 60_000, settleWithinMs = 2_000 } = trial
    if (!hosted) return
    let faultFor: (request: ProxiedRequest) => ProxyFault | undefined = () => undefined
    const proxy = await startFaultProxy(hosted.vendor, (request) => faultFor(request))
    const stray = await startFaultProxy(hosted.vendor, () => ({ status: 404 }))
    const line: FaultyLine = {
      elsewhere: stray.baseUrl,
      strayed: stray.requests,
      connect: () => hosted.provider(proxy.baseUrl),

      async run<T>(make: (call: ProviderCall) => Promise<T>, fault?: ProxyFault, faultAt = 0) {
        const begin = proxy.requests.length
        const aborting = new AbortController()
        let timer: ReturnType<typeof setTimeout> | undefined
        const late = new Promise<never>((_resolve, reject) => {
          const returnWithin = (ms: number, words: string) => {
            clearTimeout(timer)
            timer = setTimeout(() => reject(new Error(`${words} within ${ms} ms`)), ms)
          }
          returnWithin(finishWithinMs, 'the call does not return')
          faultFor = () => {
            if (proxy.requests.length <= begin + faultAt) return undefined
            if (fault === 'silence') {
              aborting.abort(new Error('The signal of this call was aborted.'))
              returnWithin(settleWithinMs, 'the call ignores its signal: after the abort it does not return')
            }
            return fault
          }
        })
        try {
          const call = { signal: aborting.signal }
          const [outcome] = await Promise.race([Promise.allSettled([make(call)]), late])
          const requests = proxy.requests.slice(begin)
          return { outcome, requests, ...(fault && requests.length > faultAt && { faultAt }) }
        } finally {
          clearTimeout(timer)
          faultFor = () => undefined
        }
      },
    }
    try {
      await run(trial, line, hosted)
    } finally {
      await Promise.all([proxy.close(), stray.close()])
    }
  }
}

/**
 * The index of the request by which a submit starts the task, among the requests of a submit without faults: the last
 * one that is not a GET.
 */
export function costlyRequest(requests: readonly ProxiedRequest[]): number {
  assert.ok(
    requests.length > 0,
    'the submit sends no request to the base URL that the provider was made with',
  )
  const place = requests.findLastIndex(({ method }) => method !== 'GET' && method !== 'HEAD')
  return place < 0 ? requests.length - 1 : place
}

/** A fault in words, for messages. */
export function inWords(fault: ProxyFault): string {
  if (typeof fault === 'object') return 'status' in fault ? `HTTP ${fault.status}` : 'a late answer'
  return {
    'cut-before': 'a connection that breaks before the vendor hears of the request',
    'cut-after': 'a connection that breaks before the answer of the vendor',
    'half-body': 'an answer that breaks off',
    silence: 'an abort while the vendor keeps silent',
  }[fault]
}

/** The result of a call in words, for messages. */
export function toldBy({ outcome }: FaultyRun<unknown>): string {
  return outcome.status === 'rejected' ? `it throws ${String(outcome.reason)}` : JSON.stringify(outcome.value)
}

/** The state of the report that a call resolved with. `'thrown'` for a call that rejected, `undefined` for no report. */
export function stateOf({ outcome }: FaultyRun<{ readonly state: string } | undefined>): string | undefined {
  return outcome.status === 'rejected' ? 'thrown' : outcome.value?.state
}
