/** The query of a path. `undefined` for a path without a query. */
export function queryIn(path = ''): URLSearchParams | undefined {
  const queryAt = path.indexOf('?')
  return queryAt < 0 ? undefined : new URLSearchParams(path.slice(queryAt))
}

/** A segment of a path without its percent-encoding. `undefined` for one with a percent sign that encodes no character. */
export function decodedSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
