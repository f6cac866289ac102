import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { isClaimed, mayStep } from '../job/job-state.ts'
import { upTo } from '../pacing/within-limit.ts'
import type { WaitingRoom } from '../sharing/waiting-room.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'

/** How long a client who reads or cancels a job waits for the provider's answer, in milliseconds. */
export const syncBudgetMs = 2000

/** What {@link synchronisedRead} works with. */
export interface SynchronisedReadContext {
  /** Reads the owner's job as it is stored. */
  readonly read: (id: string, owner: string) => Promise<Job>
  readonly advancer: Pick<JobAdvancer, 'advance' | 'isUnderWay'>
  readonly readers: WaitingRoom
  readonly clock: Clock
}

/** Reads a job as documented at `GenerationService.get`: after a poll of its provider, if a poll is allowed now. */
export function synchronisedRead({ read, advancer, readers, clock }: SynchronisedReadContext): typeof read {
  return async (id, owner) => {
    const job = await read(id, owner)
    const now = clock.now()
    const isOwn = mayStep(job, now) || advancer.isUnderWay(id)
    const step = isOwn ? advancer.advance(id) : undefined
    if (job.phase !== 'running') return job
    if (step) {
      await upTo(clock, syncBudgetMs, step)
      return read(id, owner)
    }
    if (!isClaimed(job, now) || job.claim?.isQuiet) return job
    const isSynchronised = (next: Job) => next.revision > job.revision && !isClaimed(next, clock.now())
    return readers.wait({ id, owner, latestKnown: job, isWanted: isSynchronised, budgetMs: syncBudgetMs })
  }
}
