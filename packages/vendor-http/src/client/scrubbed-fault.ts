import type { Scrub } from './scrubber.ts'

/**
 * A fault of the network, which proxies and tracers like to quote requests in: itself where no text in it or in its
 * causes has a secret, else a copy without them. Codes stay: by them it is told whether a connection was made at all.
 */
export function scrubbedFault(fault: unknown, scrub: Scrub, depth = 0): unknown {
  if (!(fault instanceof Error)) return typeof fault === 'string' ? scrub(fault) : fault
  const message = scrub(fault.message)
  const cause = depth < 5 ? scrubbedFault(fault.cause, scrub, depth + 1) : undefined
  if (message === fault.message && cause === fault.cause) return fault
  const { name, code, syscall } = fault as { name: string; code?: unknown; syscall?: unknown }
  return Object.assign(new Error(message, { cause }), { name, code, syscall })
}
