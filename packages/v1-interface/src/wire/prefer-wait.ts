const waitPreference = /(?:^|,)[ \t]*wait[ \t]*=[ \t]*(?:(\d+)|"(\d+)")[ \t]*(?=[,;]|$)/i

/**
 * How many seconds the client wants to wait, from the header `Prefer: wait=N` (RFC 7240 section 4.3). If there are
 * several such headers, the first valid one counts. A malformed preference is ignored, as section 2 requires.
 */
export function preferredWaitSeconds(header: string | undefined): number | undefined {
  const match = header === undefined ? null : waitPreference.exec(header)
  return match ? Number(match[1] ?? match[2]) : undefined
}
