import type { Findings, ServerLife } from './findings.ts'

/** How long a living process that has its stores may take to write down what it has in hand, by the service's clock. */
const recordMs = 15_000

/**
 * Who could have known what became of the task that was paid for, though its job has not come out as the vendor made it.
 * @returns nobody for `undefined`: the answer to the submit was lost, or died with the process that had it
 */
export function whoCouldHaveKnown(findings: Findings, jobId: string): string | undefined {
  const { ledger, calledBack } = findings
  const tasks = ledger.filter(({ order }) => order.job_id === jobId)
  if (tasks.some(({ taskId }) => calledBack.has(taskId))) return 'a callback was answered as taken'
  const kind = tasks[0]?.order.kind
  if (kind === 'find') return 'the vendor finds it'
  if (kind === 'dedupe') return 'the vendor takes it for the same'
  return hadTheTime(findings, jobId) ? 'a living process had the answer' : undefined
}

/** Whether a process that had the answer to the job's submit lived on with its stores for long enough. */
function hadTheTime({ diary, lives, clockSpeed, toleranceMs, endsAt }: Findings, jobId: string): boolean {
  return diary.some((entry) => {
    if (entry.what !== 'answer' || entry.jobId !== jobId) return false
    const life = lives.find(({ pid }) => pid === entry.pid)
    const hindrances = [...(life?.frozen ?? []), ...outagesOf(life)]
    const until = life?.diedAt ?? endsAt
    // Whoever closes in good order writes down first what it has in hand, if it can.
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

/** The milliseconds of a stretch of time that lie in none of the spans, which may overlap. */
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
