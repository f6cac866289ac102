/** No poll sooner than this after the provider's last word, unless the provider itself asks for it. */
export const minPollIntervalMs = 1000

/** A poll is worth it once the task has been finished for this long, on average over what is known to happen. */
const pollWorthMs = 72
/** More by this for a task that ends within `minPollIntervalMs` after it, when no other poll may come. */
const barredWorthMs = minPollIntervalMs / 4

const maxRemembered = 100
/** How a `typicalMs` is taken until durations have been seen. */
const typicalSpread = [0.6, 0.8, 1, 1.25, 1.6]

const maxLatePauseMs = 10_000
/** How long the first pause may be, growing by the least with each duration that has been seen. */
const trustedPauseMs = { least: 10_000, most: 120_000 }

/** Decides when to ask a provider again. Learns how long each model takes, for as long as the process lives. */
export interface PollSchedule {
  /** Milliseconds until the next poll of a task that has been running for `elapsedMs`. */
  delayMs(model: string, elapsedMs: number): number
  /** Learns from a task that was still running at `runningMs` and found finished at `durationMs`. */
  observe(model: string, durationMs: number, runningMs?: number): void
}

interface Experience {
  /** Oldest first. */
  readonly latest: readonly number[]
  /** Shortest first. */
  readonly sorted: readonly number[]
  readonly trustMs: number
}

const none: Experience = { latest: [], sorted: [], trustMs: trustedPauseMs.least }

/**
 * No poll while a task cannot be done yet, close ones where many tasks end, and wide ones where few do. Where none has
 * taken as long, the pauses grow with the time for which the task has been late.
 */
export function pollSchedule(
  models: readonly { readonly id: string; readonly typicalMs?: number | undefined }[],
): PollSchedule {
  const experiences = new Map<string, Experience>()
  for (const { id, typicalMs } of models) {
    if (typicalMs === undefined) continue
    const guesses = typicalSpread.map((part) => part * typicalMs)
    experiences.set(id, { ...none, latest: guesses, sorted: guesses })
  }

  return {
    delayMs(model, elapsedMs) {
      const { sorted, trustMs } = experiences.get(model) ?? none
      const worthAt = whenWorthAPoll(sorted, elapsedMs)
      const delay =
        worthAt === undefined
          ? Math.min(maxLatePauseMs, (elapsedMs - (sorted.at(-1) ?? 0)) / 4)
          : Math.min(worthAt - elapsedMs, Math.max(trustMs, elapsedMs / 2))
      return Math.max(minPollIntervalMs, delay)
    },
    observe(model, durationMs, runningMs = 0.9 * durationMs) {
      const { latest, sorted, trustMs } = experiences.get(model) ?? none
      // The end was somewhere between the two polls. Not long before the second, or one early poll would count for much;
      // but before it, or a model that has become quicker would never be seen to be.
      const ended = Math.max((runningMs + durationMs) / 2, 0.85 * durationMs)
      const forgotten = latest.length < maxRemembered ? [] : latest.slice(0, 1)
      experiences.set(model, {
        latest: [...latest.slice(forgotten.length), ended],
        sorted: exchanged(sorted, forgotten, ended),
        trustMs: Math.min(trustedPauseMs.most, trustMs + trustedPauseMs.least),
      })
    },
  }
}

/** The durations without those that are forgotten and with the new one in its place: to sort them all costs ten times as much. */
function exchanged(sorted: readonly number[], forgotten: readonly number[], added: number): number[] {
  const kept = [...sorted]
  for (const duration of forgotten) kept.splice(kept.indexOf(duration), 1)
  const place = kept.findIndex((duration) => duration > added)
  return kept.toSpliced(place < 0 ? kept.length : place, 0, added)
}

/**
 * When a task that runs at `elapsedMs` will on average have been finished for as long as a poll is worth, if it is as
 * likely to end between any two neighbours of `durations` as between any others. The optimum for known durations: Keller,
 * Optimum Checking Schedules for Systems Subject to Random Failure (1974).
 * @param durations shortest first
 * @returns `undefined` when none took that long
 */
function whenWorthAPoll(durations: readonly number[], elapsedMs: number): number | undefined {
  const firstAhead = durations.findIndex((duration) => duration > elapsedMs)
  if (firstAhead < 0) return undefined
  // Nothing ends before the shortest.
  let from = firstAhead === 0 ? durations[0]! : elapsedMs
  const start = Math.max(1, firstAhead)
  let waited = 0
  let barredEnd = start
  for (let next = start; next <= durations.length; next++) {
    const to = durations[next] ?? Number.POSITIVE_INFINITY
    while (durations[barredEnd]! <= to + minPollIntervalMs) barredEnd++
    const barred = Math.max(0, barredEnd - next - 1)
    const wanting = (durations.length - start) * pollWorthMs + barred * barredWorthMs - waited
    if (wanting <= 0) return from
    const gap = to - from
    const ended = next - start
    // What has been waited for grows with the square of time, as more and more have ended.
    if (gap * (ended + 0.5) >= wanting)
      return from + (2 * wanting) / (ended + Math.sqrt(ended ** 2 + (2 * wanting) / gap))
    waited += gap * (ended + 0.5)
    from = to
  }
  return from
}
