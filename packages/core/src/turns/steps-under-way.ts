import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { tally } from '../pacing/ending.ts'

/**
 * How many milliseconds longer to wait for a step whose sign of life is overdue, because the process may have been
 * frozen.
 */
const doubtMs = 1000

/** One step. Instants are those of the clock's uptime, in milliseconds. */
interface StepUnderWay {
  readonly ended: Promise<void>
  /** Until when the step counts as alive without another sign of life. */
  aliveUntil: number
  /** Whether the step only waits for its turn. */
  isWaiting: boolean
  /** Whether another step of the job was requested in the meantime. */
  wasAsked: boolean
  /** When the step was first found without a sign of life. */
  doubtedAt: number | undefined
}

/**
 * The steps that are under way in this process: at most one for each job. A step without signs of life does not count.
 */
export interface StepsUnderWay {
  /**
   * Keeps a step until it has ended. An error of the step goes to the log.
   * @param aliveMs for how long the step counts as alive without another sign of life, in milliseconds
   * @returns a promise that resolves when the step has ended
   */
  add(jobId: string, taken: Promise<void>, aliveMs: number): Promise<void>
  /**
   * The end of the job's step. `undefined` when no step is under way, or when the step shows no sign of life. A step
   * that never settles (because it belongs to a worker's request that is over) must not block its job for ever. Another
   * step may then be tried, and the claim in the store decides whether that step is taken.
   */
  join(jobId: string): Promise<void> | undefined
  /** Records a sign of life. @param isWaiting whether the step only waits for its turn. @default false */
  keepAlive(jobId: string, aliveMs: number, isWaiting?: boolean): void
  has(jobId: string): boolean
  /** Whether a caller has joined the job's step. */
  wasAsked(jobId: string): boolean
  /** Resolves when no step is under way. */
  settled(): Promise<void>
}

/** Makes an empty list of steps. */
export function stepsUnderWay(clock: Clock, log: Log): StepsUnderWay {
  const all = tally()
  const latest = new Map<string, StepUnderWay>()

  function isAlive(step: StepUnderWay): boolean {
    const now = clock.uptime()
    if (now < step.aliveUntil) return true
    if (step.isWaiting) return false
    step.doubtedAt ??= now
    return now < step.doubtedAt + doubtMs
  }

  return {
    add(jobId, taken, aliveMs) {
      const end = () => {
        all.end()
        if (latest.get(jobId)?.ended === ended) latest.delete(jobId)
      }
      const ended = taken.then(end, (error: unknown) => {
        log.error(`A step of job ${jobId} could not be taken or recorded.`, { job: jobId, cause: error })
        end()
      })
      all.begin()
      const aliveUntil = clock.uptime() + aliveMs
      latest.set(jobId, { ended, aliveUntil, isWaiting: false, wasAsked: false, doubtedAt: undefined })
      return ended
    },
    join(jobId) {
      const step = latest.get(jobId)
      if (!step || !isAlive(step)) return undefined
      step.wasAsked = true
      return step.ended
    },
    keepAlive(jobId, aliveMs, isWaiting = false) {
      const step = latest.get(jobId)
      const aliveUntil = clock.uptime() + aliveMs
      if (step) Object.assign(step, { aliveUntil, isWaiting, doubtedAt: undefined })
    },
    has: (jobId) => latest.has(jobId),
    wasAsked: (jobId) => latest.get(jobId)?.wasAsked === true,
    settled: all.settled,
  }
}
