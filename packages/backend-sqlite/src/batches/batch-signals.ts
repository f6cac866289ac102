import { type Clock, type JobSignals, memorySignals } from '@genmount/core'
import type { BatchDatabase } from './batch-database.ts'

/** How often the jobs with subscriptions are read, in milliseconds. */
const intervalMs = 1000

interface Watch {
  /** The number of subscriptions. */
  count: number
  /** The revision of the job at the last look; `undefined` if there was no such job, `null` before the first look. */
  revision: unknown
}

/**
 * Signals within this process, and from the writes of other processes. For the latter, one statement a second reads the
 * revisions of all jobs with subscriptions; without subscriptions there is none. News stays within this process.
 */
export function batchSignals({ rowsOf }: BatchDatabase, clock: Clock): Required<JobSignals> {
  const local = memorySignals()
  const watches = new Map<string, Watch>()
  let hasStopped = false
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Does nothing if another subscription has just looked. */
  async function look(): Promise<void> {
    if (clock.uptime() - lookedAt < 0.9 * intervalMs) return
    lookedAt = clock.uptime()
    const rows = await rowsOf('revisions', { ids: JSON.stringify([...watches.keys()]) })
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
    for (const [jobId, watch] of watches) {
      const revision = revisions.get(jobId)
      if (revision === watch.revision) continue
      watch.revision = revision
      local.publish(jobId)
    }
  }

  /**
   * Looks until the subscription ends. Each subscription has a timer of its own: in a worker, timers end with the request that
   * has set them, so the timer of one request must not be that of all.
   */
  function watched(jobId: string): () => void {
    const watch = watches.get(jobId) ?? { count: 0, revision: null }
    watch.count++
    watches.set(jobId, watch)
    let cancel = () => {}
    const lookLater = () => {
      if (hasStopped) return
      cancel = clock.after(intervalMs, () => {
        lookLater()
        // If the database does not answer, the next look tries again.
        look().catch(() => {})
      })
    }
    lookLater()
    return () => {
      cancel()
      if (--watch.count === 0) watches.delete(jobId)
    }
  }

  return {
    publish: local.publish,
    news: local.news,
    subscribe(jobId, wake) {
      const unsubscribe = local.subscribe(jobId, wake)
      let unwatch = watched(jobId)
      return () => {
        unsubscribe()
        unwatch()
        unwatch = () => {}
      }
    },
    async close() {
      hasStopped = true
    },
  }
}
