import type { ProviderCall, ProviderReport } from '@genmount/core'
import type { FakeFault } from './fake-behaviour.ts'

/** Goes wrong in the given way. What comes back is said to be a report and may be nonsense. */
export async function strike(fault: FakeFault, { signal }: ProviderCall): Promise<ProviderReport> {
  if (typeof fault === 'object') return fault.report as ProviderReport
  switch (fault) {
    case 'reset':
      throw connectionFault('ECONNRESET')
    case 'connection_refused':
      throw connectionFault('ECONNREFUSED')
    case 'server_error':
      throw new Error('The vendor answered with status 500.')
    case 'hang':
      return whenAborted(signal)
  }
}

/** Rejects with the signal's reason once it aborts. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Shaped like what Node's `fetch` rejects with. */
function connectionFault(code: 'ECONNRESET' | 'ECONNREFUSED'): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) })
}
