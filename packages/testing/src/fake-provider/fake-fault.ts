import type { ProviderCall, ProviderReport } from '@genmount/core'
import type { FakeFault } from './fake-behaviour.ts'

/** Fails in the given way. A fault with a `report` returns that value, which may be an invalid report. */
export async function strike(fault: FakeFault, { signal }: ProviderCall): Promise<ProviderReport> {
  if (typeof fault === 'object') return fault.report as ProviderReport
  switch (fault) {
    case 'reset':
      throw connectionFault('ECONNRESET', 'read')
    case 'connection_refused':
      throw connectionFault('ECONNREFUSED', 'connect')
    case 'server_error':
      throw new Error('The vendor answered with status 500.')
    case 'hang':
      return whenAborted(signal)
  }
}

/** Rejects with the reason of the signal when the signal aborts. */
export function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * An error like the one with which `fetch` rejects. On Node its cause has a code. On Deno only the words of the message
 * show that no connection was made.
 */
function connectionFault(code: 'ECONNRESET' | 'ECONNREFUSED', syscall: 'read' | 'connect'): Error {
  const isRefusedOnDeno = 'Deno' in globalThis && syscall === 'connect'
  const words = isRefusedOnDeno
    ? `error sending request for url (http://vendor/): client error (Connect): `
    : ''
  const cause = Object.assign(new Error(`${words}${syscall} ${code}`), { code, syscall })
  return new TypeError('fetch failed', { cause })
}
