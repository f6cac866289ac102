/**
 * How long an answer asks to wait, in milliseconds. It reads `retry-after-ms` (milliseconds), else `Retry-After`
 * (seconds or a date, RFC 9110 section 10.2.3).
 * @param now the current instant in milliseconds since the Unix epoch, from which a date counts.
 * @default Date.now()
 * @returns `undefined` when there is no such header, or none that can be parsed
 */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | undefined {
  const exact = headers.get('retry-after-ms') ?? ''
  if (/^\d+(\.\d+)?$/.test(exact)) return Math.ceil(Number(exact))
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  // Date.parse also accepts texts that are no HTTP dates, such as a bare year.
  const at = /^[A-Z][a-z]{2}, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
