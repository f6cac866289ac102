import type { Span } from '../campaign/started-server.ts'
import type { Findings } from './findings.ts'

/**
 * The periods in which a process could not work: it stood still, a store was away, or it waited for a CPU because the
 * machine was busy. A process that was killed could not tell of its last wait, so that period counts as well.
 */
export function hindrancesOf(
  { diary, lives }: Pick<Findings, 'diary' | 'lives'>,
  pid: number,
): readonly Span[] {
  const life = lives.find((one) => one.pid === pid)
  const waits = diary.filter((entry) => entry.what === 'waited' && entry.pid === pid)
  const noted = waits.flatMap(({ at, ...entry }) =>
    'forMs' in entry ? [{ from: at - entry.forMs, to: at }] : [],
  )
  const lastAt = waits.at(-1)?.at
  const unnoted =
    lastAt !== undefined && life?.diedAt !== undefined ? [{ from: lastAt, to: life.diedAt }] : []
  return [...(life?.frozen ?? []), ...outagesOf({ diary }, pid), ...noted, ...unnoted]
}

/** The periods in which a store was away for the process. */
export function outagesOf({ diary }: Pick<Findings, 'diary'>, pid: number): readonly Span[] {
  return diary.flatMap((entry) =>
    entry.what === 'outage' && entry.pid === pid ? [{ from: entry.at, to: entry.at + entry.forMs }] : [],
  )
}

/** How many milliseconds of a period lie outside of all spans. The spans may overlap. */
export function unhinderedMs(from: number, to: number, spans: readonly Span[]): number {
  let freeMs = 0
  let at = from
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    freeMs += Math.max(0, Math.min(span.from, to) - at)
    at = Math.max(at, span.to ?? to)
  }
  return freeMs + Math.max(0, to - at)
}
