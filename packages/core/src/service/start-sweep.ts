import type { Processes } from '../contracts/backend.ts'
import { processOf } from '../steps/claim.ts'
import { longestPauseMs, nextJob } from '../job/job-machine.ts'
import { replaceJob } from '../job/replace-job.ts'
import type { Lane } from '../sharing/lane.ts'
import { deleteExpired, type RetentionContext } from '../job/retention.ts'
import { withinLimit } from '../pacing/within-limit.ts'

export interface SweepContext extends RetentionContext {
  /** Looks at the clock. @returns whether it may have been put back since the last look */
  readonly look: () => boolean
  /** Takes a job's next step. */
  readonly advance: (jobId: string) => Promise<void>
  /** Where the job is taken up. Jobs of different lanes do not wait for one another. */
  readonly laneOf: (jobId: string) => Promise<Lane>
  readonly processes: Processes | undefined
  /** Whether other processes may have left jobs behind. */
  readonly isShared: boolean
}

/** How often to look for due jobs where other processes may leave some behind, and how often else, in milliseconds. */
const quickMs = 500
const intervalMs = 5000
/** Whoever holds a job wakes it by itself when it is due, and is given this long. */
const courtesyMs = 250
/** From so many jobs on that were due at the last look too, the store is looked at every `intervalMs`. */
const manyStill = 50

const batchSize = 200
/** How many jobs are looked at for whether they were written before the clock was put back. */
const maxFromAhead = 10_000
/** How soon the next batch follows a full one. */
const nextBatchMs = 250
/** How soon expired jobs are looked for again after a full batch. */
const nextDeletionMs = 50

/** How long one look may take: a call that never settles must not end what goes on beside it. */
const lookLimitMs = 30_000

/**
 * Goes over the store again and again: takes up the jobs that are due, should their wake-up have been lost, frees those of
 * processes that have ended, and deletes what has expired. In random order, so that processes which start together on one
 * store do not race for the same jobs.
 * @returns a function that ends it and resolves when nothing of it is going on any more
 */
export function startSweep(context: SweepContext): () => Promise<void> {
  const { clock, log } = context
  let isStopped = false

  /** Runs `look` now and then again and again. @param look gives how long to pause, in milliseconds */
  function repeat(what: string, look: () => Promise<number>): () => Promise<void> {
    let cancelTimer = () => {}
    let looking = lookOnce()
    async function lookOnce(): Promise<void> {
      let pauseMs = intervalMs
      try {
        pauseMs = await withinLimit(clock, lookLimitMs, `sweep for ${what}`, look)
      } catch (error) {
        log.error(`The job store could not be swept for ${what}; the next try follows.`, error)
      }
      if (!isStopped) cancelTimer = clock.after(pauseMs, () => (looking = lookOnce()))
    }
    return () => {
      cancelTimer()
      return looking
    }
  }

  const stops = [
    repeat(
      'due jobs',
      dueJobs(context, () => isStopped),
    ),
    repeat('expired jobs', async () =>
      (await deleteExpired(context, batchSize)) === batchSize ? nextDeletionMs : intervalMs,
    ),
  ]
  const { processes } = context
  if (processes) stops.push(repeat('jobs of ended processes', () => freeLeftBehind(context, processes)))

  return async () => {
    isStopped = true
    await Promise.all(stops.map((stop) => stop()))
  }
}

/** Jobs that do not move, for providers that hang or are served elsewhere, must not hide the ones behind them. */
function dueJobs(
  { jobs, clock, look, advance, laneOf, isShared }: SweepContext,
  isStopped: () => boolean,
): () => Promise<number> {
  let lastDue: ReadonlySet<string> = new Set()
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

  /** Jobs that were written before the clock was put back would else be due too late, by as much as it was put back. */
  async function takeUpFromAhead(): Promise<void> {
    const now = clock.now()
    for (const jobId of await jobs.due(now + longestPauseMs, maxFromAhead)) {
      const job = await jobs.get(jobId)
      if (job?.updatedAt !== undefined && job.updatedAt > now) await takeUp(jobId)
    }
  }

  return async () => {
    mayBeAhead ||= look()
    if (mayBeAhead) await takeUpFromAhead()
    mayBeAhead = false
    const limit = batchSize + 2 * stillDue
    const due = await jobs.due(clock.now() - (isFirst ? 0 : courtesyMs), limit)
    isFirst = false
    await Promise.all(inRandomOrder(due).map(takeUp))
    stillDue = due.filter((jobId) => lastDue.has(jobId)).length
    lastDue = new Set(due)
    if (due.length === limit && stillDue < limit) return nextBatchMs
    return isShared && stillDue < manyStill ? quickMs : intervalMs
  }
}

/** Ends the claims of processes that have ended, so that their jobs are due at once and not at the end of a lease. */
async function freeLeftBehind({ jobs, clock }: SweepContext, processes: Processes): Promise<number> {
  const ended = new Map<string, boolean>()
  for (const jobId of await processes.leftBehind(batchSize)) {
    const job = await jobs.get(jobId)
    const holder = job?.claimToken && processOf(job.claimToken)
    if (!job || !holder) continue
    // By now the claim may be a living one's.
    if (!ended.has(holder)) ended.set(holder, await processes.hasEnded(holder))
    const freed = ended.get(holder) ? nextJob(job, { type: 'freed' }, clock.now()) : 'already_claimed'
    if (typeof freed !== 'string') await replaceJob(jobs, freed, job.revision)
  }
  return quickMs
}

function inRandomOrder<Item>(items: readonly Item[]): readonly Item[] {
  const lots = items.map((item) => ({ item, lot: Math.random() }))
  return lots.toSorted((a, b) => a.lot - b.lot).map(({ item }) => item)
}
