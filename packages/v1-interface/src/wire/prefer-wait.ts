const waitPreference = /(?:^|,)[ \t]*wait[ \t]*=[ \t]*(?:(\d+)|"(\d+)")[ \t]*(?=[,;]|$)/i

/**
 * The seconds that a client would like to wait, from `Prefer: wait=N` (RFC 7240 section 4.3). The first one counts; a
 * preference that is malformed is ignored, as all preferences may be.
 */
export function preferredWaitSeconds(header: string | undefined): number | undefined {
  const match = header === undefined ? null : waitPreference.exec(header)
  return match ? Number(match[1] ?? match[2]) : undefined
}
