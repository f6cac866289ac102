import type { JobSignals } from '../contracts/job-signals.ts'

/** How many are woken before others have their turn, because each that wakes answers a request. */
const sliceSize = 50

/** Signals within this process. */
export function memorySignals(): JobSignals {
  const watchers = new Map<string, Set<() => void>>()

  return {
    publish(jobId) {
      const watching = watchers.get(jobId)
      if (watching) wakeSlice(Array.from(watching), watching)
    },
    subscribe(jobId, wake) {
      const watching = watchers.get(jobId) ?? new Set()
      // A function of its own for each subscription, so that one callback may subscribe twice.
      const entry = () => wake()
      watchers.set(jobId, watching.add(entry))
      return () => {
        watching.delete(entry)
        if (watching.size === 0 && watchers.get(jobId) === watching) watchers.delete(jobId)
      }
    },
  }
}

function wakeSlice(entries: readonly (() => void)[], watching: ReadonlySet<() => void>, from = 0): void {
  const next = from + sliceSize
  for (const wake of entries.slice(from, next)) if (watching.has(wake)) wake()
  if (next < entries.length) setTimeout(() => wakeSlice(entries, watching, next))
}
