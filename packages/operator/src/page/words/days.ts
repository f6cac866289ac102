/** The UTC day of an instant, such as `2026-11-28`. */
export const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The latest UTC days until today, the earliest first. */
export function lastDays(count: number, now: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * 86_400_000))
}
