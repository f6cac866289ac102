import type { WatchedStore } from '../contracts/storage/job-store.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Ending } from '../contracts/ending.ts'
import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { nextJob } from '../job/job-machine.ts'
import { isFinished } from '../job/job-state.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { pause, persist } from '../pacing/persist.ts'
import { replaceJob } from './replace-job.ts'

/**
 * For how long to wait after each look that has not found the write, in milliseconds: it may reach the store later. The
 * last look comes before the claim can run out.
 */
const pausesMs = [2_000, 18_000, 0]

/** A write of which this process got no answer, so it has given the write up. It may be in the store, or get there later. */
export interface DoubtfulWrite {
  readonly id: string
  /** The token of the claim that was written. Nobody submits the job under it. Absent when no claim was written. */
  readonly claimToken: string | undefined
  /**
   * Whether the write was the insert of a job of which the client was told that it is not stored, and for which the client
   * can't ask again: the job has no idempotency key.
   */
  readonly isUnwanted: boolean
  /** For how long to ask a store that does not answer, in milliseconds. */
  readonly forMs: number
}

/** What {@link takeBack} works with. */
export interface TakeBackContext {
  readonly jobs: WatchedStore
  readonly clock: Clock
  readonly log: Log
  readonly givingUp: Ending
}

/**
 * Takes back what a write may have left in the store. An unwanted job is deleted, unless another process has submitted it.
 * From another job the claim is removed: the job would look as if it might have been submitted, and other processes would
 * wait for as long as this one lives.
 * Its parameter is not the job, because the input of a refused job must not stay in memory.
 * @returns the job as it is stored now. `undefined` when it is not in the store, or the store could not be asked
 */
export async function takeBack(context: TakeBackContext, write: DoubtfulWrite): Promise<Job | undefined> {
  const { jobs, clock, log } = context
  const { id, claimToken, isUnwanted, forMs } = write
  let left: Job | undefined

  /** @returns whether nothing is left to do */
  async function look(): Promise<boolean> {
    left = await jobs.get(id)
    if (!left) return false
    const { phase, submitToken, revision } = left
    // Another process may have claimed the job since, to look for its task, so the claim of the job does not tell.
    const isUnused = phase === 'submitting' && submitToken !== undefined && submitToken === claimToken
    if (isUnwanted && (isUnused || phase === 'accepted')) {
      await jobs.delete(id, revision)
      return look()
    }
    if (isUnwanted && !isFinished(left))
      log.warn(`${whose(left)} continues, although its owner was told that it is not stored.`, fieldsOf(left))
    if (!isUnused) return isUnwanted || claimToken === undefined || phase !== 'accepted'
    const now = clock.now()
    // The process that looked for the task may have given up its claim.
    const next = nextJob(
      { ...left, claim: { ...left.claim, until: now } },
      { type: 'refused', retryAt: now },
      now,
    )
    if (typeof next === 'string') return true
    const { written } = await replaceJob(jobs, next, left)
    left = written
    return written ? true : look()
  }

  for (const pauseMs of pausesMs) {
    if (await persist(look, { ...context, forMs }).catch(() => true)) return left
    await pause(pauseMs, context)
  }
  return left
}
