import type { Findings } from './findings.ts'

/**
 * When this many processes in a row have died during steps of a job, the job waits until other jobs have had their
 * turn.
 */
const deathsBeforeTurns = 2
/** When this many processes have died, the job fails. */
const maxDeaths = 5

/**
 * The ids of the jobs during whose steps several processes have died in a row. Such jobs may be the reason, so the service
 * takes their steps in turns, one of them at a time after the third death.
 */
export function suspects({ diary }: Pick<Findings, 'diary'>): ReadonlySet<string> {
  return new Set(
    diary.flatMap((entry) =>
      entry.what === 'write' && entry.deaths >= deathsBeforeTurns ? [entry.jobId] : [],
    ),
  )
}

/** Whether the job had to fail, because too many processes died during its steps. */
export function wasGivenUp({ diary }: Pick<Findings, 'diary'>, jobId: string): boolean {
  return diary.some((entry) => entry.what === 'write' && entry.jobId === jobId && entry.deaths >= maxDeaths)
}
