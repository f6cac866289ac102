import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { longestTakingUpMs } from '../routing/gate.ts'
import { type Lane, lane } from '../sharing/lane.ts'

/** A job fails when this many processes in a row have died during one of its steps. */
export const maxDeaths = 5

/** After this many deaths a job's steps are taken alone. */
const deathsUntilAlone = 3

/**
 * How many milliseconds this process must have been running before it takes a step that would fail the job if this
 * process died too.
 */
const quietMs = 20_000

/**
 * Separates the jobs during whose steps processes have died, because one of these jobs may be the cause. After one or
 * two deaths they run side by side, because most deaths have other causes. After three, a single one of these jobs runs at a
 * time. So if a job does kill this process, few other jobs are counted as involved. The last step before the job would
 * fail is taken only by a process that has been running for 20 seconds. So no job fails because processes keep dying early
 * for other reasons.
 */
export interface Suspicion {
  /** The lanes through which a job goes before the gate: none, or the one of the jobs that run alone. */
  lanes(job: Job): readonly Lane[]
  /** For how many milliseconds the job has to wait before its step. */
  restMs(job: Job): number
}

/** Makes the suspicion of one service. */
export function suspicion(clock: Clock): Suspicion {
  const bornAt = clock.uptime()
  const alone = lane(clock, 1, longestTakingUpMs)

  return {
    lanes: (job) => (deathsOver(job) < deathsUntilAlone ? [] : [alone]),
    restMs: (job) => (deathsOver(job) < maxDeaths - 1 ? 0 : Math.max(0, bornAt + quietMs - clock.uptime())),
  }
}

/** How many processes in a row have died during a step of the job, as far as its claims show. */
function deathsOver({ claim: { until, isQuiet, deaths = 0 } = {} }: Job): number {
  if (until === undefined) return 0
  return isQuiet ? deaths : deaths + 1
}
