import type { Scrub } from './scrubber.ts'

/**
 * A fault of the network, which proxies and tracers like to quote requests in: itself where no text in it, in its causes or
 * in the faults that it is made of has a secret, else a copy without them. Codes stay: by them it is told whether a
 * connection was made at all.
 */
export function scrubbedFault(fault: unknown, scrub: Scrub, depth = 0): unknown {
  if (!(fault instanceof Error)) return typeof fault === 'string' ? scrub(fault) : fault
  const message = scrub(fault.message)
  const scrubbed = (inner: unknown) => (depth < 5 ? scrubbedFault(inner, scrub, depth + 1) : undefined)
  const { name, code, syscall, errors } = fault as Error & Readonly<Record<string, unknown>>
  const cause = scrubbed(fault.cause)
  const parts = Array.isArray(errors) ? errors.map(scrubbed) : undefined
  const isClean = message === fault.message && cause === fault.cause
  if (isClean && (parts ?? []).every((part, index) => part === (errors as unknown[])[index])) return fault
  return Object.assign(new Error(message, { cause }), {
    name,
    code,
    syscall,
    ...(parts && { errors: parts }),
  })
}
