import type { Processes } from '../contracts/storage/backend.ts'
import { toleranceMs } from '../clock/clock-steps.ts'
import { processOf } from '../claims/holder-of.ts'
import { nextJob } from '../job/job-machine.ts'
import { longestPauseMs } from '../job/job-state.ts'
import { replaceJob } from '../claims/replace-job.ts'
import type { Lane } from '../sharing/lane.ts'
import { deleteExpired, type RetentionContext } from '../retention/retention.ts'
import { courtesyMs, quickMs } from '../pacing/pauses.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { PluginSweep } from '../contracts/plugin/service-plugin.ts'

/** What the sweep works with. */
export interface SweepContext extends RetentionContext {
  /** Reads the clock. @returns whether the clock may have been put back since the last call */
  readonly look: () => boolean
  /** Resolves when the clock can be relied on. A wrong one would delete jobs too early. */
  readonly clockIsRight: () => Promise<void> | void
  /** Takes a job's next step. */
  readonly advance: (jobId: string) => Promise<void>
  /** The lane through which a job is taken up. Jobs in different lanes do not wait for one another. */
  readonly laneOf: (jobId: string) => Promise<Pick<Lane, 'run'>>
  /** What the plugins look for. */
  readonly sweeps: readonly PluginSweep[]
  /** Whether other processes may have left jobs in the store. */
  readonly isShared: boolean
}

/** How often to look for due jobs otherwise, and for expired jobs. */
const intervalMs = 5000
/** If this many jobs were due at the last look already, the next look comes after `intervalMs`. */
const manyStill = 50

const batchSize = 100
/** How many jobs are read to find those that were written before the clock was put back. */
const maxFromAhead = 10_000
/** How many milliseconds after a full batch of due jobs the next batch follows. */
const nextBatchMs = 100
/** How many milliseconds after a full batch of expired jobs the next batch follows. */
const nextDeletionMs = 50

/** How long one look may take, in milliseconds: a call that never settles must not end the sweep. */
const lookLimitMs = 30_000

/**
 * Reads the store at intervals. Takes up jobs that are due, in case their wake-up was lost; ends the claims of
 * processes that have ended; and deletes expired jobs. Due jobs are taken up in random order, so that processes which
 * start together on one store do not compete for the same jobs.
 * @returns a function that ends the sweep. Its promise resolves when no look is under way any more
 */
export function startSweep(context: SweepContext): () => Promise<void> {
  let isStopped = false

  /** Runs the look now, and again after each pause. @returns a function that ends this */
  function repeat(look: PluginSweep): () => Promise<void> {
    let cancelTimer = () => {}
    let looking = lookAgain()
    async function lookAgain(): Promise<void> {
      const pauseMs = await lookOnce(context, look)
      if (!isStopped) cancelTimer = context.clock.after(pauseMs, () => (looking = lookAgain()))
    }
    return () => {
      cancelTimer()
      return looking
    }
  }

  const due = { what: 'due jobs', look: dueJobs(context, () => isStopped) }
  const stops = [due, ...otherLooks(context)].map(repeat)
  return async () => {
    isStopped = true
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** The looks for all but due jobs, for a service that has no sweep of its own. See `PluginHost.looks`. */
export function sweepLooks(context: SweepContext): readonly (() => Promise<number>)[] {
  return otherLooks(context).map((look) => () => lookOnce(context, look))
}

/** What the sweep looks for besides due jobs. */
function otherLooks(context: SweepContext): readonly PluginSweep[] {
  const { sweeps, processes } = context
  const expired = async () =>
    (await deleteExpired(context, batchSize)) === batchSize ? nextDeletionMs : intervalMs
  return [
    { what: 'expired jobs', look: expired },
    ...sweeps,
    ...(processes
      ? [{ what: 'jobs of ended processes', look: () => freeLeftBehind(context, processes) }]
      : []),
  ]
}

/** @returns how long to pause before the next look, in milliseconds. Never rejects */
async function lookOnce(
  { clock, clockIsRight, log }: SweepContext,
  { what, look }: PluginSweep,
): Promise<number> {
  try {
    return await withinLimit(clock, lookLimitMs, `sweep for ${what}`, async () => {
      await clockIsRight()
      return look()
    })
  } catch (error) {
    log.error(`The job store could not be swept for ${what}; the next try follows.`, { cause: error })
    return intervalMs
  }
}

/**
 * Makes the look for due jobs. Some jobs stay due, because their provider hangs or is in trouble, or because only
 * another process serves their model. So each look skips the jobs that were already due at the earlier looks of its
 * round. When a look has reached the end of the list, the next one begins a new round without skipping.
 */
function dueJobs(
  { jobs, clock, look, advance, laneOf, isShared }: SweepContext,
  isStopped: () => boolean,
): () => Promise<number> {
  let lastDue: ReadonlySet<string> = new Set()
  /** How many jobs have been due since an earlier look of this round. */
  let stillDue = 0
  let isFirst = true
  let mayBeAhead = false
  const queued = new Set<string>()

  async function takeUp(jobId: string): Promise<void> {
    if (queued.has(jobId)) return
    const takingUp = await laneOf(jobId)
    queued.add(jobId)
    void takingUp.run(async () => {
      queued.delete(jobId)
      if (!isStopped()) await advance(jobId)
    })
  }

  /**
   * Takes up the jobs that were written before the clock was put back. Otherwise they would be due too late, by as much
   * as the clock was put back. Jobs that another process writes meanwhile, by a clock that differs a little, are left to it.
   */
  async function takeUpFromAhead(): Promise<void> {
    for (const jobId of await jobs.due(clock.now() + longestPauseMs, maxFromAhead)) {
      const job = await jobs.get(jobId)
      if (job?.updatedAt !== undefined && job.updatedAt > clock.now() + toleranceMs) await takeUp(jobId)
    }
  }

  return async () => {
    mayBeAhead ||= look()
    if (mayBeAhead) await takeUpFromAhead()
    mayBeAhead = false
    const at = clock.now() - (isFirst ? 0 : courtesyMs)
    isFirst = false
    let due = await jobs.due(at, batchSize, stillDue)
    if (due.length === batchSize && due.every((jobId) => lastDue.has(jobId))) {
      stillDue += batchSize
      due = await jobs.due(at, batchSize, stillDue)
    }
    await Promise.all(inRandomOrder(due).map(takeUp))
    const seenBefore = due.filter((jobId) => lastDue.has(jobId)).length
    lastDue = new Set(due)
    if (due.length === batchSize) {
      stillDue += seenBefore
      return nextBatchMs
    }
    const areMany = stillDue + seenBefore >= manyStill
    stillDue = 0
    return isShared && !areMany ? quickMs : intervalMs
  }
}

/** Ends the claims of processes that have ended, so that their jobs are due at once and not when the claims run out. */
async function freeLeftBehind({ jobs, clock }: SweepContext, processes: Processes): Promise<number> {
  const ended = new Map<string, boolean>()
  for (const jobId of await processes.leftBehind(batchSize)) {
    const job = await jobs.get(jobId)
    const holder = processOf(job?.claim?.token)
    if (!job || !holder) continue
    // In the meantime a running process may have claimed the job.
    if (!ended.has(holder)) ended.set(holder, await processes.hasEnded(holder))
    const freed = ended.get(holder) ? nextJob(job, { type: 'freed' }, clock.now()) : 'already_claimed'
    if (typeof freed !== 'string') await replaceJob(jobs, freed, job)
  }
  return quickMs
}

function inRandomOrder<Item>(items: readonly Item[]): readonly Item[] {
  const lots = items.map((item) => ({ item, lot: Math.random() }))
  return lots.toSorted((a, b) => a.lot - b.lot).map(({ item }) => item)
}
