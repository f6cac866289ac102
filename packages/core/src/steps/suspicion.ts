import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { type Gate, longestTakingUpMs } from '../routing/gate.ts'
import { type Lane, lane } from '../sharing/lane.ts'

/** How many processes in a row may die during a step of one job before the job is taken to be what kills them. */
export const maxDeaths = 5

/** How long this process must have lived before it asks after a job for the last time. */
const quietMs = 20_000

/**
 * Keeps jobs apart during whose steps processes have died, since one of them may be why. After one death they go on side
 * by side, because most deaths have other reasons. After two a few of each provider go at a time, then one of all, so that
 * what brings this process down takes few innocents with it. The last question is asked by a process that has lived for a
 * while: where processes die again and again for other reasons, no innocent job is failed for it.
 */
export interface Suspicion {
  /** The lanes through which a job goes before the gate, the outermost first. */
  lanes(job: Job, gate?: Gate): readonly Lane[]
  /** How long the job waits before it is asked after, in milliseconds. */
  restMs(job: Job): number
}

export function suspicion(clock: Clock): Suspicion {
  const bornAt = clock.uptime()
  const alone = lane(clock, 1, longestTakingUpMs)

  return {
    lanes(job, gate) {
      const deaths = deathsOver(job)
      if (deaths < 2) return []
      if (!gate) return [alone]
      // First by provider, so that those of one that hangs take turns with the others.
      return deaths === 2 ? [gate.suspects.several] : [gate.suspects.single, alone]
    },
    restMs: (job) => (deathsOver(job) < maxDeaths - 1 ? 0 : Math.max(0, bornAt + quietMs - clock.uptime())),
  }
}

/** How many processes in a row have died during a step of the job, as far as anybody knows. */
function deathsOver({ claimedUntil, abandonedClaims = 0 }: Job): number {
  return claimedUntil === undefined ? 0 : abandonedClaims + 1
}
