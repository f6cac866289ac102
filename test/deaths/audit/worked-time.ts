import type { JobObject } from '../campaign/witness.ts'
import type { Span } from '../campaign/started-server.ts'
import type { Findings } from './findings.ts'
import { hindrancesOf, unhinderedMs } from './hindrances.ts'

/**
 * For how long the servers could work on a job until its end, from its create or from when the storm was over, in
 * milliseconds of the service. It is not known which process ought to have worked on it, so the hindrances of all count.
 */
export function workedMs(findings: Findings, job: JobObject): number {
  const { from, to = from } = findings.sharesClock ? spanInDiary(findings, job) : spanByClock(findings, job)
  if (to <= from) return 0
  const hindrances = findings.lives.flatMap(({ pid }) => hindrancesOf(findings, pid))
  return unhinderedMs(from, to, hindrances) * findings.clockSpeed
}

/** The instants in the job, by the clock of the system. */
function spanByClock(
  findings: Findings,
  { created_at: createdAt, completed_at: completedAt }: JobObject,
): Span {
  const from = bySystem(findings, Math.max(Date.parse(createdAt), findings.healedAt))
  return completedAt === null ? { from } : { from, to: bySystem(findings, Date.parse(completedAt)) }
}

/** When the first and the last write of the processes were. The clock by which the job has its instants was set meanwhile. */
function spanInDiary(findings: Findings, { id }: JobObject): Span {
  const writes = findings.diary.flatMap((entry) =>
    entry.what === 'write' && entry.jobId === id ? [entry] : [],
  )
  const from = Math.max(bySystem(findings, findings.healedAt), writes[0]?.at ?? 0)
  // Later writes are about the copy of outputs and the webhook.
  const isOver = (phase: string) => phase === 'completed' || phase === 'failed'
  const end = writes.findLastIndex(({ phase }) => !isOver(phase)) + 1
  return { from, ...(writes[end] && { to: writes[end].at }) }
}

function bySystem({ clockSpeed, clockAtEnd, endsAt }: Findings, at: number): number {
  return endsAt - (clockAtEnd - at) / clockSpeed
}
