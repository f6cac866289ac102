import type { Scrub } from './scrubber.ts'

/**
 * A fault of the network, which proxies and tracers like to quote requests in: itself where no text in it, in its causes
 * or in the errors that it gathers (one for each address of a host) has a secret, else a copy without them. Codes stay: by
 * them it is told whether a connection was made at all.
 */
export function scrubbedFault(fault: unknown, scrub: Scrub, depth = 0): unknown {
  if (!(fault instanceof Error)) return typeof fault === 'string' ? scrub(fault) : fault
  const message = scrub(fault.message)
  const inner = (given: unknown) => (depth < 5 ? scrubbedFault(given, scrub, depth + 1) : undefined)
  const cause = inner(fault.cause)
  const { name, code, syscall, errors } = fault as Error &
    Partial<Record<'code' | 'syscall' | 'errors', unknown>>
  const gathered: readonly unknown[] = Array.isArray(errors) ? errors : []
  const scrubbed = gathered.map(inner)
  const isClean = scrubbed.every((error, index) => error === gathered[index])
  if (message === fault.message && cause === fault.cause && isClean) return fault
  return Object.assign(new Error(message, { cause }), {
    name,
    code,
    syscall,
    ...(Array.isArray(errors) && { errors: scrubbed }),
  })
}
