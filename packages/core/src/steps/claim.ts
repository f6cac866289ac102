import type { Processes } from '../contracts/backend.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { type ClockSteps, toleranceMs } from '../job/clock-steps.ts'
import { type Ending, ending } from '../pacing/ending.ts'
import { awaitsAnswer, type JobEvent, nextJob } from '../job/job-machine.ts'
import { replaceJob } from '../job/replace-job.ts'
import { persist } from '../pacing/persist.ts'

/** How long a step's claim lasts when its holder dies. A living holder renews it. */
export const leaseMs = 30_000
const renewalMs = leaseMs / 3

/** A claim whose last renewal is longer ago than this is renewed before anything is paid for. */
const freshMs = leaseMs / 2
const maxConfirmations = 3

/** How long to try to make a claim: nothing is lost without it. */
const claimingMs = 5000
/** How long to try to write what a step brought when the job's deadline is nearer. */
const leastHoldingMs = 60_000

/** A claimed job in the hands of the one who may step. */
export interface Claim {
  readonly job: Job
  /** Comes when another has taken the job over. */
  readonly lost: Ending
  /**
   * Writes what the step brought, and holds it until the job's deadline while the store is away. The answer to a submit
   * takes the job back from whoever has taken it over meanwhile and does not know what became of the submit.
   * @returns the job as written, or `undefined` when it is another's
   * @throws the store's fault when it is still away
   */
  write(event: JobEvent): Promise<Job | undefined>
  /** Whether the claim still stands for long enough to pay for something now; renews it where that is not certain. */
  confirm(): Promise<boolean>
  /** Ends the renewals. */
  release(): void
}

export interface ClaimContext {
  readonly jobs: JobStore
  readonly clock: Clock
  readonly clockSteps: ClockSteps
  readonly processes: Processes | undefined
  /** Comes when the service can wait no longer for what is still to be written. */
  readonly givingUp: Ending
}

export interface ClaimWish {
  /** By which an accepted job is to be submitted. */
  readonly route: string | undefined
  /** Called now and then while the holder lives. */
  readonly onBeat: () => void
}

/** Claims the job for one step. @returns `undefined` when it is not to be had, which is no fault */
export async function claimJob(
  { jobs, clock, clockSteps, processes, givingUp }: ClaimContext,
  found: Job,
  { route, onBeat }: ClaimWish,
): Promise<Claim | undefined> {
  const token = `${processes ? `${processes.id}:` : ''}${crypto.randomUUID()}`
  const isHolderAlive = await wasHeldByLiving(found, processes)
  const leaseEnd = () => clock.now() + leaseMs
  const lost = ending()
  const mark = (): Mark => ({ uptime: clock.uptime(), now: clock.now() })
  let renewed = mark()

  const claimed = nextJob(
    found,
    { type: 'claim', until: leaseEnd(), token, route, isHolderAlive },
    clock.now(),
  )
  if (typeof claimed === 'string') return undefined
  const claiming = { clock, givingUp, forMs: claimingMs }
  if ((await persist(() => replaceJob(jobs, claimed, found.revision), claiming)) !== 'written')
    return undefined

  const isSubmit = claimed.phase === 'submitting'
  const holdUntil = clock.uptime() + Math.max(leastHoldingMs, claimed.deadlineAt - clock.now())
  let current = claimed
  let lastWrite: Promise<unknown> = Promise.resolve()
  let writesUnderWay = 0

  async function writeNow(told: JobEvent, toldAt: Mark): Promise<Job | undefined> {
    for (;;) {
      const beganAt = mark()
      const event = moved(told, beganAt.now - toldAt.now - (beganAt.uptime - toldAt.uptime))
      const next = nextJob(clockSteps.retimed(current), event, clock.now())
      if (typeof next === 'string') throw new Error(`A ${current.phase} job refuses ${event.type}: ${next}.`)
      const outcome = await replaceJob(jobs, next, current.revision)
      if (outcome === 'written') {
        if (next.claimedUntil !== undefined) renewed = beganAt
        return (current = next)
      }
      // A callback writes to the job without ending our claim.
      const isOurs = outcome?.claimToken === token && outcome.claimedUntil !== undefined
      const mine = isOurs ? outcome : outcome && (await retake(outcome, event))
      if (!mine) return void lost.end()
      current = mine
    }
  }

  /** An answer in hand outweighs the claim of somebody who has none. */
  async function retake(stored: Job, event: JobEvent): Promise<Job | undefined> {
    if (!isSubmit || !awaitsAnswer(stored) || !isNews(stored, event)) return undefined
    const retaken = nextJob(stored, { type: 'retaken', until: leaseEnd(), token }, clock.now())
    if (typeof retaken === 'string') return undefined
    const outcome = await replaceJob(jobs, retaken, stored.revision)
    return outcome === 'written' ? retaken : outcome && retake(outcome, event)
  }

  function isNews({ phase, submitToken }: Job, event: JobEvent): boolean {
    if (event.type === 'running' || event.type === 'succeeded') return true
    // Another process has submitted since: that our submit was refused or failed tells nothing of its submit.
    if (submitToken !== token) return false
    // A refusal does not reopen a job that has failed: its owner may have ordered another one by now.
    if (event.type === 'refused') return phase === 'submitting'
    return event.type === 'failed' && event.code !== 'submit_ambiguous'
  }

  /** One write at a time, because each needs the revision that the one before it made. */
  function write(event: JobEvent): Promise<Job | undefined> {
    writesUnderWay++
    const toldAt = mark()
    const forMs = event.type === 'renew' ? 0 : Math.max(0, holdUntil - clock.uptime())
    const written = lastWrite
      .then(() => persist(() => writeNow(event, toldAt), { clock, givingUp, forMs }))
      .finally(() => writesUnderWay--)
    lastWrite = written.catch(() => {})
    return written
  }

  function isFresh(): boolean {
    const elapsed = clock.uptime() - renewed.uptime
    return elapsed < freshMs && Math.abs(clock.now() - renewed.now - elapsed) < toleranceMs
  }

  let cancelRenewal: () => void
  function renewLater(): void {
    cancelRenewal = clock.after(renewalMs, () => {
      renewLater()
      onBeat()
      // A renewal that fails is tried again by the next one, well before the lease is over.
      if (writesUnderWay === 0) write({ type: 'renew', until: leaseEnd() }).catch(() => {})
    })
  }
  renewLater()

  return {
    get job() {
      return current
    },
    lost,
    write,
    async confirm() {
      for (let tries = 0; !isFresh(); tries++) {
        if (lost.hasEnded || tries === maxConfirmations) return false
        await write({ type: 'renew', until: leaseEnd() }).catch(() => undefined)
      }
      return !lost.hasEnded
    },
    release: () => cancelRenewal(),
  }
}

/** An instant, and the clock's uptime then. */
interface Mark {
  readonly now: number
  readonly uptime: number
}

/** The event with its instants moved by as much as the clock was set since the event was handed over. */
function moved(event: JobEvent, byMs: number): JobEvent {
  if (Math.abs(byMs) <= toleranceMs) return event
  const instants = Object.entries(event).filter(([name]) => name.endsWith('At') || name === 'until')
  const later = instants.map(([name, at]) => [name, at === undefined ? at : Number(at) + byMs])
  return { ...event, ...Object.fromEntries(later) }
}

/** Whether the job's earlier claim has run out although its holder lives: the holder was frozen, or the clock was set. */
async function wasHeldByLiving(
  { claimedUntil, claimToken = '' }: Job,
  processes: Processes | undefined,
): Promise<boolean> {
  if (claimedUntil === undefined || !processes) return false
  const holder = processOf(claimToken)
  return holder !== undefined && !(await processes.hasEnded(holder))
}

/** The id of the process that has made a claim; `undefined` where it is not known. */
export function processOf(claimToken: string): string | undefined {
  const end = claimToken.indexOf(':')
  return end < 0 ? undefined : claimToken.slice(0, end)
}
