// oxlint-disable no-restricted-globals -- These functions convert instants and texts, and read no clock.

/** The instant in milliseconds since the Unix epoch. `undefined` for a text that is no RFC 3339 instant. */
export function instantIn(text: string): number | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.exec(text)
  const at = Date.parse(text.toUpperCase())
  if (!match || Number.isNaN(at)) return undefined
  // Some runtimes read the 30th of February as the 2nd of March.
  const [day = ''] = match.slice(1)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? at : undefined
}

/** The instant as ISO 8601 text in UTC. @param at in milliseconds since the Unix epoch */
export function instantText(at: number): string {
  return new Date(at).toISOString()
}

/** The first instant of the UTC month of an instant, in milliseconds since the Unix epoch. */
export function monthBegin(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
