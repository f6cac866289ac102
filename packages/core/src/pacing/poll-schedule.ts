import type { Job } from '../contracts/job.ts'

/** The shortest time between two polls of a job, in milliseconds, unless the provider itself asks for a shorter one. */
export const minPollIntervalMs = 1000

/**
 * A poll is made when a finished task has waited for it for this many milliseconds on average. The average is over the
 * known durations that are longer than the time for which the task has been running.
 */
const pollWorthMs = 72
/**
 * A later poll is worth more, by this many milliseconds, for each known duration that ends within `minPollIntervalMs`
 * after the poll, because a task with that duration must wait until the next poll is allowed.
 */
const barredWorthMs = minPollIntervalMs / 4

/** How many durations are kept for each route of a model. */
const maxRemembered = 100
/** Until durations of a model have been measured, these parts of its `typicalMs` stand for them. */
const typicalSpread = [0.6, 0.8, 1, 1.25, 1.6]

/** The longest pause for a task that runs longer than every known duration. */
const maxLatePauseMs = 10_000
/**
 * The longest pause, in milliseconds. It is `least` at first, and grows by `least` with each measured duration of the
 * model, up to `most`. If half of the time for which the task has been running is longer, that is the longest pause.
 */
const trustedPauseMs = { least: 10_000, most: 120_000 }

/** Decides when to poll a provider. Learns how long the jobs of each model and route take, for as long as the process lives. */
export interface PollSchedule {
  /** How many milliseconds to wait before the next poll of a task that has been running for `elapsedMs`. */
  delayMs(job: MadeBy, elapsedMs: number): number
  /**
   * Learns from a task that has finished.
   * @param durationMs how long after its start the task was found finished
   * @param runningMs how long after its start the task was last known to be running; 0.9 of `durationMs` when left out
   */
  observe(job: MadeBy, durationMs: number, runningMs?: number): void
  /** The median of the latest 100 durations that this process has measured, in milliseconds. `undefined` before the first. */
  medianMs(job: MadeBy): number | undefined
}

/** What makes a job: its model, and one of the model's routes, which may take longer than the others. */
type MadeBy = Pick<Job, 'model' | 'route'>

/** The known durations of the tasks of a model by one of its routes, in milliseconds. */
interface Experience {
  /** How many of them, the oldest, are guesses from the `typicalMs` of the model. */
  readonly guesses: number
  /** Oldest first. */
  readonly latest: readonly number[]
  /** Shortest first. */
  readonly sorted: readonly number[]
  /** The longest pause, see `trustedPauseMs`. */
  readonly trustMs: number
}

const none: Experience = { guesses: 0, latest: [], sorted: [], trustMs: trustedPauseMs.least }

/**
 * Makes a schedule that begins with the `typicalMs` of the models, whose list may change. It makes no poll before the
 * shortest known duration, frequent polls where many of the known durations lie, and rare polls where few do. For a task
 * that runs longer than every known duration, each pause is a quarter of the time by which the task is late.
 */
export function pollSchedule(
  models: readonly { readonly id: string; readonly typicalMs?: number | undefined }[],
): PollSchedule {
  const experiences = new Map<string, Experience>()
  const keyOf = ({ model, route }: MadeBy) => (route === undefined ? model : JSON.stringify([model, route]))
  const experienceOf = (job: MadeBy) => experiences.get(keyOf(job)) ?? guessFor(job.model)

  function guessFor(model: string): Experience {
    const { typicalMs } = models.find(({ id }) => id === model) ?? {}
    if (typicalMs === undefined) return none
    const spread = typicalSpread.map((part) => part * typicalMs)
    return { ...none, guesses: spread.length, latest: spread, sorted: spread }
  }

  return {
    delayMs(job, elapsedMs) {
      const { sorted, trustMs } = experienceOf(job)
      const worthAt = whenWorthAPoll(sorted, elapsedMs)
      const delay =
        worthAt === undefined
          ? Math.min(maxLatePauseMs, (elapsedMs - (sorted.at(-1) ?? 0)) / 4)
          : Math.min(worthAt - elapsedMs, Math.max(trustMs, elapsedMs / 2))
      return Math.max(minPollIntervalMs, delay)
    },
    medianMs(job) {
      const { guesses: unmeasured, latest } = experienceOf(job)
      const measured = latest.slice(unmeasured).toSorted((one, other) => one - other)
      return measured[measured.length >> 1]
    },
    observe(job, durationMs, runningMs = 0.9 * durationMs) {
      const { guesses: unmeasured, latest, sorted, trustMs } = experienceOf(job)
      // The task ended somewhere between the two polls: in the middle, we assume, but not earlier than 0.85 of
      // `durationMs`, so that one early poll does not make the duration much too short. If the second poll counted as
      // the end, the schedule would never notice that a model has become faster.
      const ended = Math.max((runningMs + durationMs) / 2, 0.85 * durationMs)
      const forgotten = latest.length < maxRemembered ? [] : latest.slice(0, 1)
      experiences.set(keyOf(job), {
        guesses: Math.max(0, unmeasured - forgotten.length),
        latest: [...latest.slice(forgotten.length), ended],
        sorted: exchanged(sorted, forgotten, ended),
        trustMs: Math.min(trustedPauseMs.most, trustMs + trustedPauseMs.least),
      })
    },
  }
}

/**
 * Removes the forgotten durations and inserts the new one in order. To sort all of them would cost ten times as much.
 */
function exchanged(sorted: readonly number[], forgotten: readonly number[], added: number): number[] {
  const remaining = [...sorted]
  for (const duration of forgotten) remaining.splice(remaining.indexOf(duration), 1)
  const place = remaining.findIndex((duration) => duration > added)
  return remaining.toSpliced(place < 0 ? remaining.length : place, 0, added)
}

/**
 * The best time for the next poll of a task that is still running at `elapsedMs`, in milliseconds after the task's
 * start: when the task will have been finished for as long as a poll is worth, on average. Assumes that the task is
 * equally likely to end in each of the gaps between two neighbours in `durations`. This is the optimum for known
 * durations: Keller, Optimum Checking Schedules for Systems Subject to Random Failure (1974).
 * @param durations shortest first
 * @returns `undefined` when the task has run longer than every one of `durations`
 */
function whenWorthAPoll(durations: readonly number[], elapsedMs: number): number | undefined {
  const firstAhead = durations.findIndex((duration) => duration > elapsedMs)
  if (firstAhead < 0) return undefined
  // No task ends before the shortest duration.
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
    // Within a gap, the time for which the task has been finished grows with the square of the time: the task is
    // finished in more and more of the cases, and for longer and longer.
    if (gap * (ended + 0.5) >= wanting)
      return from + (2 * wanting) / (ended + Math.sqrt(ended ** 2 + (2 * wanting) / gap))
    waited += gap * (ended + 0.5)
    from = to
  }
  return from
}
