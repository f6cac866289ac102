import type { Findings, ServerLife } from './findings.ts'

/**
 * Everything that is known about a job, one line for each event in their order, so that a failure of a storm can be
 * understood without seeing the storm again: what the processes wrote about the job, what the vendor was paid for, and
 * when each of these processes stood still, was cut off from a store, or ended.
 */
export function storyOf({ ledger, diary, lives, stored }: Findings, jobId: string): string {
  const entries = diary.filter((entry) => 'jobId' in entry && entry.jobId === jobId)
  const paid = ledger.filter(({ order }) => order.job_id === jobId)
  const pids = new Set([...entries.map(({ pid }) => pid), ...paid.map(({ order }) => order.pid)])
  const outages = diary.filter(({ what, pid }) => what === 'outage' && pids.has(pid))
  const events = [
    ...[...entries, ...outages].map(({ at, pid, ...entry }) => ({ at, text: `${pid} ${textOf(entry)}` })),
    ...paid.map(({ at, taskId, order }) => ({ at, text: `the vendor takes ${taskId} from ${order.pid}` })),
    ...lives.filter(({ pid }) => pids.has(pid)).flatMap(eventsIn),
  ].toSorted((a, b) => a.at - b.at)
  const row = stored.find(({ id }) => id === jobId)
  return [...events.map(({ at, text }) => `${instant(at)} ${text}`), `stored: ${JSON.stringify(row)}`]
    .map((line) => `\n  ${line}`)
    .join('')
}

function eventsIn({ pid, frozen, diedAt, exitCode }: ServerLife): { at: number; text: string }[] {
  const spans = frozen.flatMap(({ from, to }) => [
    { at: from, text: `${pid} is frozen` },
    ...(to === undefined ? [] : [{ at: to, text: `${pid} goes on` }]),
  ])
  return diedAt === undefined
    ? spans
    : [...spans, { at: diedAt, text: `${pid} ${exitCode === 0 ? 'has closed' : 'dies'}` }]
}

function textOf({ what, ...details }: { readonly what: string; readonly jobId?: string }): string {
  const { jobId: _, ...others } = details
  return Object.keys(others).length === 0 ? what : `${what} ${JSON.stringify(others)}`
}

function instant(at: number): string {
  return new Date(at).toISOString().slice(11, -1)
}
