import type { Findings } from './findings.ts'
import { hindrancesOf, outagesOf, unhinderedMs } from './hindrances.ts'

/**
 * How long a living process with reachable stores may take to store an answer, in milliseconds of the clock
 * of the service.
 */
const recordMs = 15_000

/** How long the service gives the file store to store an output, in milliseconds of its clock, as the README says. */
const fileLimitMs = 5 * 60_000

/**
 * For a paid task whose job does not have the outcome of the task: who could have known the outcome.
 * @returns `undefined` when no process could have known: the answer to the submit was lost, or the process that had the
 * answer died
 */
export function whoCouldHaveKnown(findings: Findings, jobId: string): string | undefined {
  const { ledger, calledBack, cancelAsked } = findings
  const tasks = ledger.filter(({ order }) => order.job_id === jobId)
  // The README names this limit under `service_failed`: the service no longer polls such a job.
  if (wasGivenUp(findings, jobId)) return undefined
  if (tasks.some(({ taskId }) => calledBack.has(taskId))) return 'a callback was answered as taken'
  const kind = tasks[0]?.order.kind
  if (kind === 'find') return 'the vendor finds it'
  // The service does not repeat the submit of a canceled job, so it never learns this vendor's outcome.
  if (kind === 'dedupe' && !cancelAsked.has(jobId)) return 'the vendor takes it for the same'
  return hadTheTime(findings, jobId) ? 'a living process had the answer' : undefined
}

/**
 * Whether a process that had the answer to the submit of the job lived on, with its stores, long enough to
 * store it.
 */
function hadTheTime(findings: Findings, jobId: string): boolean {
  const { diary, lives, clockSpeed, toleranceMs, endsAt } = findings
  return diary.some((entry) => {
    if (entry.what !== 'answer' || entry.jobId !== jobId) return false
    const life = lives.find(({ pid }) => pid === entry.pid)
    const hindrances = hindrancesOf(findings, entry.pid)
    const until = life?.diedAt ?? endsAt
    const file = diary.find(
      (one) => one.what === 'file stored' && one.jobId === jobId && one.pid === entry.pid,
    )
    if (file && (file.at - entry.at) * clockSpeed > fileLimitMs) return false
    // A process that closes properly first stores the answers that it has, if its stores can be reached.
    if (life?.exitCode === 0) {
      const others = [...life.frozen, ...outagesOf(findings, entry.pid)]
      return !others.some(({ from, to = endsAt }) => from <= until && to >= entry.at)
    }
    return unhinderedMs(entry.at, until, hindrances) * clockSpeed >= recordMs + toleranceMs
  })
}

/** When this many processes in a row have died during steps of a job, the job waits until others have had their turn. */
const deathsBeforeTurns = 3
/** When this many processes have died, the job fails. */
const maxDeaths = 5

/**
 * The ids of the jobs during whose steps several processes have died in a row. Such jobs may be the reason, so a process
 * takes their steps one at a time.
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
