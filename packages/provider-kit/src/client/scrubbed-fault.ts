import type { Scrub } from './scrubber.ts'

/**
 * Removes secrets from an error of the network. Proxies, tracers and SDKs often quote the request in such errors. It
 * checks the message, the causes and the parts of an AggregateError, up to five levels deep, and all other properties.
 * The code stays, because it shows whether a connection was made.
 * @param fault what was thrown. Values other than errors and texts are returned as they are
 * @param depth how many levels `fault` lies below the first error. @default 0
 * @returns `fault` itself when it contains no secret, else a copy without secrets, which has message, name, code,
 *   syscall, cause and parts, and no other properties
 */
export function scrubbedFault(fault: unknown, scrub: Scrub, depth = 0): unknown {
  if (!(fault instanceof Error)) return typeof fault === 'string' ? scrub(fault) : fault
  const message = scrub(fault.message)
  const scrubbed = (inner: unknown) => (depth < 5 ? scrubbedFault(inner, scrub, depth + 1) : undefined)
  const { name, code, syscall, errors } = fault as Error & Readonly<Record<string, unknown>>
  const cause = scrubbed(fault.cause)
  const parts = Array.isArray(errors) ? errors.map(scrubbed) : undefined
  const isClean = message === fault.message && cause === fault.cause && isWithoutSecret({ ...fault }, scrub)
  if (isClean && (parts ?? []).every((part, index) => part === (errors as unknown[])[index])) return fault
  return Object.assign(new Error(message, { cause }), {
    name,
    code,
    syscall,
    ...(parts && { errors: parts }),
  })
}

/** A value that can't be written as JSON is assumed to contain a secret. */
function isWithoutSecret(properties: object, scrub: Scrub): boolean {
  try {
    const text = JSON.stringify(properties)
    return scrub(text) === text
  } catch {
    return false
  }
}
