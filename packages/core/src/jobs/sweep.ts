import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import type { Lane } from './lane.ts'
import { deleteExpired } from './retention.ts'

export interface SweepContext {
  readonly jobs: JobStore
  readonly files: FileStore
  readonly clock: Clock
  readonly log: Log
  /** Takes a job's next step. */
  readonly advance: (jobId: string) => Promise<void>
  /** Where the job is taken up. Jobs of different lanes do not wait for one another. */
  readonly laneOf: (jobId: string) => Promise<Lane>
}

const intervalMs = 5000
const batchSize = 200

/** How soon the next batch follows a full one. */
const nextBatchMs = 250

/**
 * Goes over the store now and every five seconds, or sooner while more is due than it takes up at once: takes up the jobs
 * that are due, should their wake-up have been lost, and deletes what has expired. One timer for all jobs. In random
 * order, so that processes which start together on one store do not race for the same jobs.
 * @returns a function that ends it and resolves when nothing of it is going on any more
 */
export function startSweep({ jobs, files, clock, log, advance, laneOf }: SweepContext): () => Promise<void> {
  let isStopped = false
  let cancelTimer = () => {}
  let lastDue: ReadonlySet<string> = new Set()
  /** Jobs that do not move, for providers that hang or are served elsewhere, must not hide the ones behind them. */
  let stillDue = 0
  const queued = new Set<string>()
  let sweeping = sweep()

  async function takeUp(jobId: string): Promise<void> {
    if (queued.has(jobId)) return
    const takingUp = await laneOf(jobId)
    queued.add(jobId)
    void takingUp.run(async () => {
      queued.delete(jobId)
      if (!isStopped) await advance(jobId)
    })
  }

  async function sweep(): Promise<void> {
    let nextMs = intervalMs
    try {
      const limit = batchSize + 2 * stillDue
      const due = await jobs.due(clock.now(), limit)
      await Promise.all(inRandomOrder(due).map(takeUp))
      stillDue = due.filter((jobId) => lastDue.has(jobId)).length
      lastDue = new Set(due)
      if (due.length === limit && stillDue < limit) nextMs = nextBatchMs
      await deleteExpired(jobs, files, log, clock.now(), batchSize)
    } catch (error) {
      log.error('The job store could not be swept; the next try follows.', error)
    }
    if (!isStopped) cancelTimer = clock.after(nextMs, () => (sweeping = sweep()))
  }

  return () => {
    isStopped = true
    cancelTimer()
    return sweeping
  }
}

function inRandomOrder<Item>(items: readonly Item[]): readonly Item[] {
  const lots = items.map((item) => ({ item, lot: Math.random() }))
  return lots.toSorted((a, b) => a.lot - b.lot).map(({ item }) => item)
}
