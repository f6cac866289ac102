import type { WatchedStore } from '../contracts/storage/job-store.ts'
import type { Processes } from '../contracts/storage/backend.ts'
import type { Reservation } from '../contracts/plugin/service-plugin.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { Json } from '../contracts/json.ts'
import { quietLeaseMs } from './claim-ahead.ts'
import { type ClockSteps, toleranceMs } from '../clock/clock-steps.ts'
import type { Ending } from '../contracts/ending.ts'
import { ending } from '../pacing/ending.ts'
import type { JobEvent, NextPoll } from '../job/job-event.ts'
import { movedEvent } from '../job/instants.ts'
import { nextJob } from '../job/job-machine.ts'
import { awaitsAnswer } from '../job/job-state.ts'
import { replaceJob } from './replace-job.ts'
import { persist } from '../pacing/persist.ts'

/** How long a claim lasts after its last renewal, in milliseconds. Its holder renews it every 10 seconds. */
export const leaseMs = 30_000
const renewalMs = leaseMs / 3

/** The part of a poll's claim, which is shorter than others, after which it is renewed. */
const renewedPart = 0.8

/** If the last renewal is longer ago than this, the claim is renewed before anything is paid for. */
const freshMs = leaseMs / 2
const maxConfirmations = 3
/**
 * If the last renewal is longer ago than this when the next one is due, the claim counts as run out: it would run out
 * before the renewal after that.
 */
const lapsedMs = leaseMs - renewalMs / 2

/** The least time for which to try to write the outcome of a step, even if the job's deadline is nearer. */
export const leastHoldingMs = 60_000

/** The events that end a submit without showing that the provider has taken the task on. */
const endsSubmit: ReadonlySet<JobEvent['type']> = new Set(['refused', 'postponed', 'interrupted'])

/** The same moment by both clocks. */
export interface Mark {
  readonly now: number
  readonly uptime: number
}

/** Reads both clocks. */
export function markOf(clock: Clock): Mark {
  return { now: clock.now(), uptime: clock.uptime() }
}

/** A claim of this process on a job: the right to take one step. */
export interface Claim {
  /** The job as it was last written under this claim. */
  readonly job: Job
  /**
   * Ends when another process has taken the job over, or may do so because this process could not renew the claim in
   * time.
   */
  readonly lapsed: Ending
  /**
   * Writes the outcome of the step. While the store is unavailable, it tries again until the job's deadline, and for at
   * least 60 seconds. If another process has taken the job over and does not know the outcome of the submit, the answer
   * to the submit takes the job back.
   * @returns the job as written; `undefined` when another process has the job
   * @throws the store's error when the last try has failed
   */
  write(event: JobEvent): Promise<Job | undefined>
  /**
   * Whether the claim is certain to last long enough to pay for something now, and this process knows of no request to
   * cancel the job. If the claim is not certain, renews it first.
   * @returns a promise only in that case
   */
  confirm(): boolean | Promise<boolean>
  /**
   * Records that this claim is about to submit the job, so that an earlier submit that was refused or has failed no longer
   * counts when its answer arrives late.
   * @param reservation what the job reserves from now on. @default what it has reserved
   * @param handle that of a further submit. @default the first submit
   * @returns whether the record is written, no other process has taken the job over, and the owner has not asked to
   * cancel it. The error of the reservation, if the job does not fit into one of its budgets
   */
  submits(reservation?: Reservation, handle?: Json): Promise<boolean | Error>
  /** Stops renewing the claim. */
  release(): void
}

/** What claims work with. */
export interface ClaimContext {
  readonly jobs: WatchedStore
  readonly clock: Clock
  readonly clockSteps: ClockSteps
  readonly processes: Processes | undefined
  /** Ends when the service is closing and can no longer wait for an unavailable store. */
  readonly givingUp: Ending
}

/** A claim that is to be written to the store. */
export interface BegunClaim {
  /** The job with the claim. */
  readonly job: Job
  /** When the claim began. */
  readonly at: Mark
  /**
   * For a poll that was claimed ahead: the next poll, which a first renewal names, so that nothing more is written if there is
   * no news. @default the outcome is written
   */
  readonly nextPoll?: NextPoll | undefined
}

/** Keeps a claim that has just been written to the store, and renews it until it is released. */
export function keepClaim(
  { jobs, clock, clockSteps, processes, givingUp }: ClaimContext,
  { job: claimed, at, nextPoll: named }: BegunClaim,
  onBeat: () => void,
): Claim {
  const token = claimed.claim?.token ?? ''
  const leaseEnd = () => clock.now() + leaseMs
  const lapsed = ending()
  let isLost = false
  let renewed = at
  const isSubmit = claimed.phase === 'submitting'
  const holdUntil = at.uptime + Math.max(leastHoldingMs, claimed.deadlineAt - at.now)
  /** The latest write, as long as it is under way. */
  let lastWrite: Promise<void> | undefined

  async function writeNow(
    originalEvent: JobEvent,
    toldAt: Mark,
    reservation?: Reservation,
  ): Promise<Job | Error | undefined> {
    for (;;) {
      const beganAt = markOf(clock)
      const setMs = beganAt.now - toldAt.now - (beganAt.uptime - toldAt.uptime)
      const event = Math.abs(setMs) > toleranceMs ? movedEvent(originalEvent, setMs) : originalEvent
      const next = nextJob(clockSteps.retimed(claim.job), event, beganAt.now)
      if (typeof next === 'string')
        throw new Error(`A ${claim.job.phase} job refuses ${event.type}: ${next}.`)
      const { written, instead, refusal } = await replaceJob(jobs, next, claim.job, reservation)
      if (refusal) return refusal
      if (written) {
        // A job that an earlier try has written has the shorter claim of that try.
        if (written === next && next.claim?.until !== undefined) renewed = beganAt
        return (claim.job = written)
      }
      // The write of a callback does not end the claim of this process.
      const isOurs = instead?.claim?.token === token && instead.claim.until !== undefined
      const mine = isOurs ? instead : instead && (await retake(instead, event))
      if (!mine) {
        isLost = true
        return void lapsed.end()
      }
      claim.job = mine
    }
  }

  /** Claims the job again from a process that has no answer, because this process has the answer to its submit. */
  async function retake(stored: Job, event: JobEvent): Promise<Job | undefined> {
    if (!isSubmit || !awaitsAnswer(stored) || !isNews(stored, event)) return undefined
    const retaken = nextJob(stored, { type: 'retaken', until: leaseEnd(), token }, clock.now())
    if (typeof retaken === 'string') return undefined
    const { written, instead } = await replaceJob(jobs, retaken, stored)
    return written ?? (instead && retake(instead, event))
  }

  function isNews({ phase, submitToken }: Job, event: JobEvent): boolean {
    if (event.type === 'running' || event.type === 'succeeded') return true
    // Another process has submitted the job since. The outcome of the earlier submit of this process says nothing about
    // that submit.
    if (submitToken !== token) return false
    // These events do not reopen a failed job, because its owner may have created another job by now. While other
    // processes wait for this one, the event is written to show that this submit is over.
    if (endsSubmit.has(event.type)) return phase === 'submitting'
    return event.type === 'failed' && event.code !== 'submit_ambiguous'
  }

  /** Makes one write at a time, because each write needs the revision of the previous one. */
  function write(event: JobEvent, reservation?: Reservation): Promise<Job | Error | undefined> {
    const toldAt = markOf(clock)
    const forMs = event.type === 'renew' ? 0 : Math.max(0, holdUntil - toldAt.uptime)
    const begin = () => persist(() => writeNow(event, toldAt, reservation), { clock, givingUp, forMs })
    const written = lastWrite ? lastWrite.then(begin) : begin()
    const end = () => {
      if (lastWrite === ended) lastWrite = undefined
    }
    const ended: Promise<void> = written.then(end, end)
    lastWrite = ended
    return written
  }

  /** Whether the last renewal is recent, by both clocks, and no other process can have ended the claim since. */
  function isFresh(): boolean {
    if (renewed.uptime < (processes?.seenSince?.() ?? Number.NEGATIVE_INFINITY)) return false
    const elapsed = clock.uptime() - renewed.uptime
    return elapsed < freshMs && Math.abs(clock.now() - renewed.now - elapsed) < toleranceMs
  }

  async function refreshed(): Promise<boolean> {
    for (let tries = 0; !isFresh(); tries++) {
      if (isLost || tries === maxConfirmations) return false
      await write({ type: 'renew', until: leaseEnd() }).catch(() => undefined)
    }
    return isWanted()
  }

  async function submits(reservation?: Reservation, handle?: Json): Promise<boolean | Error> {
    const renewal: JobEvent = {
      type: 'renew',
      until: leaseEnd(),
      isSubmit: true,
      reservedUsd: reservation?.usd,
      handle,
    }
    const written = await write(renewal, reservation).catch(() => undefined)
    return written instanceof Error ? written : written !== undefined && isWanted()
  }

  /** Whether this process may submit the job, as far as it knows from its latest write. */
  function isWanted(): boolean {
    return !isLost && claim.job.cancelAskedAt === undefined
  }

  let cancelRenewal: () => void
  function renewLater(afterMs = renewalMs, nextPoll?: NextPoll): void {
    cancelRenewal = clock.after(afterMs, () => {
      const leftMs = nextPoll ? quietLeaseMs(nextPoll, clock.now()) : leaseMs
      const until = clock.now() + leftMs
      renewLater(Math.min(renewalMs, renewedPart * leftMs))
      onBeat()
      const elapsedMs = Math.max(clock.uptime() - renewed.uptime, clock.now() - renewed.now)
      if (elapsedMs > lapsedMs) lapsed.end()
      // If a renewal fails, the next one comes well before the claim runs out.
      if (!lastWrite) write({ type: 'renew', until, nextPoll }).catch(() => {})
    })
  }
  renewLater(Math.min(renewalMs, renewedPart * ((claimed.claim?.until ?? 0) - at.now)), named)

  const claim = {
    // A plain field and no getter, for the reason given in `ending`.
    job: claimed,
    lapsed,
    // Only a write with a reservation can have an error as its outcome.
    write: (event: JobEvent) => write(event) as Promise<Job | undefined>,
    confirm: () => (isFresh() ? isWanted() : refreshed()),
    submits,
    release: () => cancelRenewal(),
  }
  return claim
}
