import type { Findings } from './findings.ts'

/** After so many deaths of processes in a row during its steps, a job waits until others have had their turn. */
const deathsBeforeTurns = 2
/** After so many, the job fails. */
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

/** Whether so many processes have died during steps of the job that it had to fail. */
export function wasGivenUp({ diary }: Pick<Findings, 'diary'>, jobId: string): boolean {
  return diary.some((entry) => entry.what === 'write' && entry.jobId === jobId && entry.deaths >= maxDeaths)
}
