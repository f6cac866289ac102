import type { Findings, ServerLife } from './findings.ts'

/**
 * How long a living process with reachable stores may take to store an answer, in milliseconds of the clock
 * of the service.
 */
const recordMs = 15_000

/**
 * For a paid task whose job does not have the outcome of the task: who could have known the outcome.
 * @returns `undefined` when nobody could: the answer to the submit was lost, or the process that had it died
 */
export function whoCouldHaveKnown(findings: Findings, jobId: string): string | undefined {
  const { ledger, calledBack, cancelAsked } = findings
  const tasks = ledger.filter(({ order }) => order.job_id === jobId)
  if (tasks.some(({ taskId }) => calledBack.has(taskId))) return 'a callback was answered as taken'
  const kind = tasks[0]?.order.kind
  if (kind === 'find') return 'the vendor finds it'
  // No submit of a cancelled job is repeated, so nobody asks this vendor.
  if (kind === 'dedupe' && !cancelAsked.has(jobId)) return 'the vendor takes it for the same'
  return hadTheTime(findings, jobId) ? 'a living process had the answer' : undefined
}

/**
 * Whether a process that had the answer to the submit of the job lived on, with its stores, long enough to
 * store it.
 */
function hadTheTime({ diary, lives, clockSpeed, toleranceMs, endsAt }: Findings, jobId: string): boolean {
  return diary.some((entry) => {
    if (entry.what !== 'answer' || entry.jobId !== jobId) return false
    const life = lives.find(({ pid }) => pid === entry.pid)
    const hindrances = [...(life?.frozen ?? []), ...outagesOf(life)]
    const until = life?.diedAt ?? endsAt
    // A process that closes properly first stores the answers that it has, if its stores can be reached.
    if (life?.hasClosed) return !hindrances.some(({ from, to = endsAt }) => from <= until && to >= entry.at)
    return unhinderedMs(entry.at, until, hindrances) * clockSpeed >= recordMs + toleranceMs
  })

  function outagesOf(life: ServerLife | undefined) {
    return diary.flatMap((entry) =>
      entry.what === 'outage' && entry.pid === life?.pid
        ? { from: entry.at, to: entry.at + entry.forMs }
        : [],
    )
  }
}

/** How many milliseconds of a period lie outside of all spans. The spans may overlap. */
function unhinderedMs(
  from: number,
  to: number,
  spans: readonly { readonly from: number; readonly to?: number }[],
): number {
  let freeMs = 0
  let at = from
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    freeMs += Math.max(0, Math.min(span.from, to) - at)
    at = Math.max(at, span.to ?? to)
  }
  return freeMs + Math.max(0, to - at)
}
