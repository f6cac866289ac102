/**
 * How long the `Retry-After` header of an answer (RFC 9110 section 10.2.3) asks to wait, in milliseconds. It reads whole
 * seconds, the fractions of seconds that some servers send, and all three forms of dates. A date that has passed is 0.
 * @param now the current instant in milliseconds since the Unix epoch, from which a date counts. @default Date.now()
 * @returns `undefined` when there is no such header, or when it can't be parsed
 * @example retryAfterMs(new Response(null, { status: 429, headers: { 'retry-after': '7' } })) // 7000
 */
export function retryAfterMs({ headers }: Pick<Response, 'headers'>, now = Date.now()): number | undefined {
  const value = headers.get('retry-after') ?? ''
  // Date.parse alone also accepts texts that are no HTTP dates (RFC 9110 section 5.6.7), such as a bare year, and takes
  // the local time zone for the form of dates that names none.
  const [match, , date] = /^\d+(\.\d+)?$|^(.*:\d\d( \d{4})?)( GMT)?$/.exec(value) ?? []
  const ms = date === undefined ? Number(match) * 1000 : Date.parse(`${date} GMT`) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms))
}
