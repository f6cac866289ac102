/**
 * How long the `Retry-After` header (RFC 9110 section 10.2.3) asks the client to wait, in milliseconds.
 * @returns `undefined` when there is no such header, or when it can't be parsed
 */
export function retryAfterMs({ headers }: Response): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(/^[A-Z][a-z]{2}, .* GMT$/.test(value) ? value : '')
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now())
}
