import { type Clock, type JobSignals, memorySignals } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'

/** How often the file is checked for writes of other processes, in milliseconds. */
const intervalMs = 500
/** How many watches are compared before the event loop runs again. */
const sliceSize = 500

interface Watch {
  readonly jobId: string
  readonly wake: () => void
  /**
   * The revision of the job at the last check; `undefined` if there was no such job, `null` before the first
   * check.
   */
  revision: unknown
}

/**
 * Signals within this process, and from the other processes that share the file. For the latter the file is checked
 * every half second while there are subscriptions. News stays within this process.
 */
export function sqliteSignals(database: JobDatabase, clock: Clock): Required<JobSignals> {
  const local = memorySignals()
  const watches = new Set<Watch>()
  let seenVersion: unknown
  let isLooking = false
  let hasStopped = false
  let cancelLook = () => {}

  function lookLater(): void {
    if (hasStopped || isLooking || watches.size === 0) return
    cancelLook = clock.after(intervalMs, () => void look())
  }

  async function look(): Promise<void> {
    isLooking = true
    // If the database does not answer, the next check tries again.
    await wakeWhoseJobChanged().catch(() => {})
    isLooking = false
    lookLater()
  }

  async function wakeWhoseJobChanged(): Promise<void> {
    // This number changes only with writes of other processes, so a process without others has nothing more to do.
    const version = await database.glance(({ fileVersion }) => fileVersion.get()?.data_version)
    if (version === seenVersion) return
    const all = [...watches]
    for (let start = 0; start < all.length; start += sliceSize) {
      const slice = all.slice(start, start + sliceSize)
      const ids = JSON.stringify(slice.map(({ jobId }) => jobId))
      const rows = await database.glance(({ revisions }) => revisions.all(ids))
      const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
      for (const watch of slice) {
        const revision = revisions.get(watch.jobId)
        if (revision === watch.revision || !watches.has(watch)) continue
        watch.revision = revision
        watch.wake()
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    seenVersion = version
  }

  return {
    publish: local.publish,
    news: local.news,
    subscribe(jobId, wake) {
      const watch: Watch = { jobId, wake, revision: null }
      const unsubscribe = local.subscribe(jobId, wake)
      watches.add(watch)
      if (watches.size === 1) lookLater()
      return () => {
        unsubscribe()
        watches.delete(watch)
        if (watches.size === 0) cancelLook()
      }
    },
    async close() {
      hasStopped = true
      cancelLook()
    },
  }
}
