import { type Clock, type JobSignals, memorySignals } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'

/** How long a write of another process may go unnoticed. */
const intervalMs = 500
/** How many watches are compared before the event loop has its turn. */
const sliceSize = 500

interface Watch {
  readonly jobId: string
  readonly wake: () => void
  /** The job's when it was last looked at, `undefined` where it was not there, `null` before the first look. */
  revision: unknown
}

/** Signals within this process and, by a look at the file while somebody watches, from the others that share it. */
export function sqliteSignals(database: JobDatabase, clock: Clock): JobSignals & { stop(): void } {
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
    // A database that does not answer now is looked at again the next time.
    await wakeWhoseJobChanged().catch(() => {})
    isLooking = false
    lookLater()
  }

  async function wakeWhoseJobChanged(): Promise<void> {
    // Changes with the writes of others only: a process that is alone looks no further.
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
    stop() {
      hasStopped = true
      cancelLook()
    },
  }
}
