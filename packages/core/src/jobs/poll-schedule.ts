/** No poll sooner than this after the provider's last word, unless the provider itself asks for it. */
export const minPollIntervalMs = 1000

/** A poll is worth it once the task has been finished for this long, on average over what is known to happen. */
const pollWorthMs = 70
/** More by this for a task that ends within `minPollIntervalMs` after it, when no other poll may come. */
const barredWorthMs = minPollIntervalMs / 4

const maxRemembered = 100
/** How a `typicalMs` is taken until durations have been seen. */
const typicalSpread = [0.6, 0.8, 1, 1.25, 1.6]

const maxLatePauseMs = 10_000
/** How long the first pause is trusted to be, more with each duration that has been seen. */
const trustedPauseMs = { least: 10_000, most: 60_000 }

/** Decides when to ask a provider again. Learns how long each model takes, for as long as the process lives. */
export interface PollSchedule {
  /** Milliseconds until the next poll of a task that has been running for `elapsedMs`. */
  delayMs(model: string, elapsedMs: number): number
  /** Learns from a task that was still running at `runningMs` and found finished at `durationMs`. */
  observe(model: string, durationMs: number, runningMs?: number): void
}

interface Experience {
  /** The latest ones, oldest first. */
  readonly durations: number[]
  seen: number
}

/**
 * No poll while a task cannot be done yet, close ones where many tasks finish, and wide ones where few do. With no
 * duration ahead the pauses grow with the time for which the task has been late.
 */
export function pollSchedule(
  models: readonly { readonly id: string; readonly typicalMs?: number | undefined }[],
): PollSchedule {
  const experiences = new Map<string, Experience>()
  for (const { id, typicalMs } of models)
    if (typicalMs !== undefined)
      experiences.set(id, { durations: typicalSpread.map((part) => part * typicalMs), seen: 0 })

  return {
    delayMs(model, elapsedMs) {
      const { durations, seen } = experiences.get(model) ?? { durations: [], seen: 0 }
      const worthAt = whenWorthAPoll(durations, elapsedMs)
      const delay =
        worthAt === undefined
          ? Math.min(maxLatePauseMs, (elapsedMs - Math.max(0, ...durations)) / 4)
          : Math.min(worthAt - elapsedMs, Math.max(elapsedMs / 2, trustedPause(seen)))
      return Math.max(minPollIntervalMs, delay)
    },
    observe(model, durationMs, runningMs = 0.9 * durationMs) {
      const experience = experiences.get(model) ?? { durations: [], seen: 0 }
      experiences.set(model, experience)
      experience.seen++
      // Somewhere between the two polls, and a little sooner than found where there was none before: a model that has
      // become quicker would never be seen to be.
      experience.durations.push(Math.max((runningMs + durationMs) / 2, 0.85 * durationMs))
      if (experience.durations.length > maxRemembered) experience.durations.shift()
    },
  }
}

/**
 * When a task that runs at `elapsedMs` will on average have been finished for as long as a poll is worth, if it is as
 * likely to end between any two neighbours of `durations` as between any others. The optimum for known durations: Keller,
 * Optimum Checking Schedules for Systems Subject to Random Failure (1974).
 * @returns `undefined` when none took that long
 */
function whenWorthAPoll(durations: readonly number[], elapsedMs: number): number | undefined {
  const ahead = durations.filter((duration) => duration > elapsedMs).toSorted((a, b) => a - b)
  if (ahead.length === 0) return undefined
  // Nothing ends before the shortest.
  let from = (ahead.length === durations.length && ahead.shift()) || elapsedMs
  let waited = 0
  for (const [ended, to] of [...ahead, Number.POSITIVE_INFINITY].entries()) {
    const gap = to - from
    const barred = ahead.filter((duration) => duration > to && duration <= to + minPollIntervalMs).length
    const wanting = ahead.length * pollWorthMs + barred * barredWorthMs - waited
    if (wanting <= 0) return from
    // Waited grows with the square of time as more and more have ended.
    if (gap * (ended + 0.5) >= wanting)
      return from + (2 * wanting) / (ended + Math.sqrt(ended ** 2 + (2 * wanting) / gap))
    waited += gap * (ended + 0.5)
    from = to
  }
  return from
}

function trustedPause(seen: number): number {
  return Math.min(trustedPauseMs.most, (1 + seen) * trustedPauseMs.least)
}
