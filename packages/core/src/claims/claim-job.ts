import type { Job } from '../contracts/job.ts'
import type { JobEvent, NextPoll } from '../job/job-event.ts'
import { randomUuid } from '../job/job-id.ts'
import { nextJob } from '../job/job-machine.ts'
import { isFinished } from '../job/job-state.ts'
import { persist } from '../pacing/persist.ts'
import { isClaimedAhead, quietLeaseMs } from './claim-ahead.ts'
import { type BegunClaim, type Claim, type ClaimContext, keepClaim, leaseMs, markOf } from './claim.ts'
import { holderOf } from './holder-of.ts'
import { type Replaced, replaceJob } from './replace-job.ts'

/** For how long to try to make a claim. It may be short, because nothing is lost when the claim can't be made. */
const claimingMs = 5000

type ClaimEvent = Extract<JobEvent, { type: 'claim' }>

/** How to claim a job. */
interface ClaimOptions {
  /** By what an accepted job is to be submitted. */
  readonly by: Pick<ClaimEvent, 'route' | 'provider' | 'providerModel'>
  /** When a running task is to be polled again if this poll brings no news. @default the outcome is written */
  readonly nextPoll?: NextPoll | undefined
  /** Called at each renewal, every 10 seconds, while this process runs. */
  readonly onBeat: () => void
  /** Called with a claim for a submit that was given up, because its write has failed. The store may have it. */
  readonly onDoubt: (claimToken: string | undefined) => void
}

/**
 * Claims the job for one step.
 * @param before the job as it was just read from the store
 * @returns `undefined` when no step may be taken now, or when another process was faster
 * @throws the store's error
 */
export async function claimJob(
  context: ClaimContext,
  before: Job,
  options: ClaimOptions,
): Promise<Claim | undefined> {
  const { by, nextPoll, onBeat, onDoubt } = options
  const { jobs, clock, processes, givingUp } = context
  if (isClaimedAhead(before, clock.now(), processes)) {
    const at = markOf(clock)
    const job = { ...before, updatedAt: at.now, claim: { ...before.claim, isQuiet: undefined } }
    return keepClaim(context, { job, at, nextPoll }, onBeat)
  }
  // The process of an earlier claim, which has run out, may still run: it was frozen, or the clock was set.
  const holder = before.claim?.until === undefined ? undefined : await holderOf(before.claim.token, processes)
  const begun = beginClaim(context, before, { ...by, holder, nextPoll })
  if (!begun) return undefined
  const doubt = () => before.phase === 'accepted' && onDoubt(begun.job.claim?.token)
  const claiming = { clock, givingUp, forMs: claimingMs }
  let replaced: Replaced | undefined
  try {
    replaced = await persist(() => replaceJob(jobs, begun.job, before), claiming)
  } finally {
    if (!replaced) doubt()
  }
  const { written, instead } = replaced
  if (written) return keepClaim(context, begun, onBeat)
  // A try without an answer has written the claim, and somebody has written to the job since, such as its owner to cancel it.
  if (instead?.submitToken === begun.job.submitToken) doubt()
  // If a delivery was written meanwhile, this process can still do the copying.
  return instead?.webhook && isFinished(before) ? claimJob(context, instead, options) : undefined
}

/**
 * Begins a claim of this process, which counts as soon as its job is in the store.
 * @returns `undefined` when no step may be taken now
 */
export function beginClaim(
  { clock, clockSteps, processes }: ClaimContext,
  before: Job,
  how: Omit<ClaimEvent, 'type' | 'until' | 'token'>,
): BegunClaim | undefined {
  const at = markOf(clock)
  // Each write of the job has the token, so it is short: 48 random bits tell the claims on one job apart.
  const token = (processes ? `${processes.id}:` : '') + randomUuid().slice(24)
  const job = nextJob(
    // The clock may have been set since the job was read or inserted.
    clockSteps.retimed(before),
    {
      ...how,
      type: 'claim',
      until: at.now + (how.nextPoll ? quietLeaseMs(how.nextPoll, at.now) : leaseMs),
      token,
    },
    at.now,
  )
  return typeof job === 'string' ? undefined : { job, at }
}
