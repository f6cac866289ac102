import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { Log } from '../contracts/log.ts'
import { places } from './places.ts'
import { deleteExpired } from './retention.ts'

export interface SweepContext {
  readonly jobs: JobStore
  readonly files: FileStore
  readonly clock: Clock
  readonly log: Log
  /** Takes a job's next step. */
  readonly advance: (jobId: string) => Promise<void>
}

const intervalMs = 5000
const batchSize = 200

/** How many jobs are taken up at a time, so that a start with a thousand of them floods no provider. */
const maxTakenUp = 20

/**
 * Goes over the store now and every five seconds: takes up the jobs that are due, should their wake-up have been lost,
 * and deletes what has expired. One timer for all jobs. In random order, so that processes which start together on one
 * store do not race for the same jobs.
 * @returns a function that ends it and resolves when nothing of it is going on any more
 */
export function startSweep({ jobs, files, clock, log, advance }: SweepContext): () => Promise<void> {
  let isStopped = false
  let cancelTimer = () => {}
  let lastDue: ReadonlySet<string> = new Set()
  /** Jobs that do not move, because no process at hand serves their models, must not hide the ones behind them. */
  let stillDue = 0
  const takingUp = places(clock, maxTakenUp)
  const queued = new Set<string>()
  let sweeping = sweep()

  function takeUp(jobId: string): void {
    if (queued.has(jobId)) return
    queued.add(jobId)
    void takingUp(async () => {
      queued.delete(jobId)
      if (!isStopped) await advance(jobId)
    })
  }

  async function sweep(): Promise<void> {
    try {
      const due = await jobs.due(clock.now(), batchSize + stillDue)
      for (const jobId of inRandomOrder(due)) takeUp(jobId)
      stillDue = due.filter((jobId) => lastDue.has(jobId)).length
      lastDue = new Set(due)
      await deleteExpired(jobs, files, log, clock.now(), batchSize)
    } catch (error) {
      log.error('The job store could not be swept; the next try follows.', error)
    }
    if (!isStopped) cancelTimer = clock.after(intervalMs, () => (sweeping = sweep()))
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
