import type { JobObject } from '../campaign/witness.ts'
import type { DiaryEntry } from '../service/diary.ts'
import type { Findings } from './findings.ts'
import { wasGivenUp } from './what-was-known.ts'

/** The ids of the jobs that failed as ambiguous while a process lived that had, or later got, the answer to the submit. */
export function hastyEnds(findings: Findings): readonly string[] {
  const { diary, lives } = findings
  const answers = Map.groupBy(
    diary.filter(({ what }) => what === 'answer'),
    (entry) => ('jobId' in entry ? entry.jobId : ''),
  )
  return ends(diary).flatMap(({ jobId, at, pid, code }) => {
    if (code !== 'submit_ambiguous') return []
    const isHeld = answers
      .get(jobId)
      ?.some((answer) => lives.some((life) => life.pid === answer.pid && (life.diedAt ?? Infinity) > at))
    return isHeld && isOfToday(findings, pid) && !wasGivenUp(findings, jobId) ? [jobId] : []
  })
}

type Write = Extract<DiaryEntry, { what: 'write' }>

/** The writes by which jobs have failed, without later writes to failed jobs, such as those of their deliveries. */
function ends(diary: Findings['diary']): readonly Write[] {
  const writes = Map.groupBy(
    diary.filter((entry) => entry.what === 'write'),
    ({ jobId }) => jobId,
  )
  return [...writes.values()].flatMap((ofJob) =>
    ofJob
      .toSorted((one, other) => one.revision - other.revision)
      .filter(({ phase }, place, all) => phase === 'failed' && all[place - 1]?.phase !== 'failed'),
  )
}

/** Whether the server that submitted an ambiguous job has closed without the answer, which the vendor did not lose. */
export function wasCut(findings: Findings, { id, input }: JobObject): boolean {
  const { diary, ledger, lives } = findings
  const pid = ledger.find(({ order }) => order.job_id === id)?.order.pid
  const hasClosed = lives.some((life) => life.pid === pid && life.exitCode === 0)
  if (!hasClosed || input.loses_answer || !isOfToday(findings, pid)) return false
  return !diary.some((entry) => entry.what === 'answer' && entry.jobId === id && entry.pid === pid)
}

/**
 * Whether a job waits for a living server of an older release that has claimed it and has not submitted it. When such a server got no
 * answer to the insert of a claimed job, it does not take its claim back once another process looks for the task. The job goes on
 * when that server ends.
 */
export function waitsForOlder({ diary, lives }: Findings, jobId: string): boolean {
  const ofJob = diary.filter((entry) => 'jobId' in entry && entry.jobId === jobId)
  const claiming = ofJob.find((entry) => entry.what === 'write' && entry.phase === 'submitting')
  const submitter = lives.find(({ pid }) => pid === claiming?.pid)
  const hasSubmitted = ofJob.some(({ what }) => what === 'submit')
  return submitter?.release === 'older' && submitter.diedAt === undefined && !hasSubmitted
}

/** Whether the process runs the code of today. */
function isOfToday({ lives }: Findings, pid: number | undefined): boolean {
  return lives.some((life) => life.pid === pid && life.release !== 'older')
}
