/**
 * How long to wait by `retry-after-ms`, or by `Retry-After` as seconds or as a date (RFC 9110 section 10.2.3), in
 * milliseconds; `undefined` when neither is there or makes sense.
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = headers.get('retry-after-ms') ?? ''
  if (/^\d+(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact))
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // Date.parse takes much for a date that is none, a bare year for one.
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
