import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'

/**
 * Writes a job over the revision that it was made of. All writes to a stored job are made here.
 * @returns `written`; the job as somebody else has written it meanwhile; or `undefined` when the job is gone
 * @throws the store's fault. The write may then have been made all the same: tried again, it counts as `written`
 */
export async function replaceJob(
  jobs: Pick<JobStore, 'replace' | 'get'>,
  next: Job,
  expectedRevision: number,
): Promise<'written' | Job | undefined> {
  if ((await jobs.replace(next, expectedRevision)) === 'replaced') return 'written'
  const stored = await jobs.get(next.id)
  return stored && isSame(stored, next) ? 'written' : stored
}

/** Whether the stored job is the one that we have written. Callbacks write under our claim too, so its token is not enough. */
function isSame(stored: Job, { revision, phase, claimToken, isHinted }: Job): boolean {
  return (
    stored.revision === revision &&
    stored.phase === phase &&
    stored.claimToken === claimToken &&
    stored.isHinted === isHinted
  )
}
