import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { type Ending, ending } from './ending.ts'
import { type JobEvent, nextJob } from './job-machine.ts'
import { persist } from './persist.ts'

/** How long a step's claim lasts when its holder dies. A living holder renews it. */
export const leaseMs = 30_000

/** A claimed job in the hands of the one who may step. */
export interface Claim {
  readonly job: Job
  /** Comes when another has taken the job over. */
  readonly lost: Ending
  /** Writes what the step brought. @returns the job as written, or `undefined` when another has taken it over */
  write(event: JobEvent): Promise<Job | undefined>
  /** Ends the renewals. */
  release(): void
}

/** Claims the job for one step. @returns `undefined` when it is not to be had, which is no fault */
export async function claimJob(
  jobs: JobStore,
  clock: Clock,
  job: Job,
  route?: string,
): Promise<Claim | undefined> {
  const token = crypto.randomUUID()
  const until = () => clock.now() + leaseMs
  const claimed = nextJob(job, { type: 'claim', until: until(), token, route }, clock.now())
  if (typeof claimed === 'string' || !(await persist(() => isReplaced(claimed, job.revision))))
    return undefined

  let current = claimed
  let lastWrite: Promise<unknown> = Promise.resolve()
  const lost = ending()

  /** One write at a time, because each needs the revision that the one before it made. */
  function write(event: JobEvent): Promise<Job | undefined> {
    const written = lastWrite.then(async () => {
      const next = nextJob(current, event, clock.now())
      if (typeof next === 'string') throw new Error(`A ${current.phase} job refuses ${event.type}: ${next}.`)
      if (!(await persist(() => isReplaced(next, current.revision)))) return void lost.end()
      return (current = next)
    })
    lastWrite = written.catch(() => {})
    return written
  }

  /** A write that failed may have been made all the same, and is stale when it is tried again. */
  async function isReplaced(next: Job, expectedRevision: number): Promise<boolean> {
    const outcome = await jobs.replace(next, expectedRevision)
    if (outcome === 'replaced') return true
    const stored = await jobs.get(next.id)
    return stored?.revision === next.revision && stored.claimToken === token
  }

  let cancelRenewal: () => void
  function renewLater(): void {
    cancelRenewal = clock.after(leaseMs / 3, () => {
      renewLater()
      // A renewal that fails is tried again by the next one, well before the lease is over.
      write({ type: 'renew', until: until() }).catch(() => {})
    })
  }
  renewLater()

  return {
    get job() {
      return current
    },
    lost,
    write,
    release: () => cancelRenewal(),
  }
}
