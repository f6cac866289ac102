import type { Job } from '../contracts/job.ts'
import type { JobSignals } from '../contracts/job-signals.ts'

/**
 * How many subscribers are woken before the process does other work. Each of them answers a request, so to wake
 * thousands at once would block the process.
 */
const sliceSize = 50

/**
 * One subscription. `wake` becomes `undefined` when it ends, so that a `publish` in progress neither wakes the
 * subscriber nor keeps it in memory.
 */
interface Watcher {
  wake: ((job?: Job) => void) | undefined
}

/** Signals within this process. A signal that many subscribers wait for reaches them in slices of 50. */
export function memorySignals(): JobSignals {
  const watchers = new Map<string, Set<Watcher>>()

  return {
    publish(jobId, job) {
      const watching = watchers.get(jobId)
      if (watching) wakeSlice(Array.from(watching), job)
    },
    subscribe(jobId, wake) {
      const watching = watchers.get(jobId) ?? new Set()
      const watcher: Watcher = { wake }
      watchers.set(jobId, watching.add(watcher))
      return () => {
        watcher.wake = undefined
        watching.delete(watcher)
        if (watching.size === 0 && watchers.get(jobId) === watching) watchers.delete(jobId)
      }
    },
  }
}

function wakeSlice(watching: readonly Watcher[], job: Job | undefined, from = 0): void {
  const next = from + sliceSize
  for (const watcher of watching.slice(from, next)) watcher.wake?.(job)
  if (next < watching.length) setTimeout(() => wakeSlice(watching, job, next))
}
