/**
 * How long a `Retry-After` header (RFC 9110 section 10.2.3) asks the sender to wait, in milliseconds.
 * @param now the current instant in milliseconds since the Unix epoch, from which a date counts
 * @returns `undefined` when there is no such header, or when it can't be parsed
 */
export function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
