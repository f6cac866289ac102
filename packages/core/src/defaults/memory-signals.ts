import type { JobSignals } from '../contracts/job-signals.ts'

/** Signals within this process. */
export function memorySignals(): JobSignals {
  const watchers = new Map<string, Set<() => void>>()

  return {
    publish(jobId) {
      const woken = watchers.get(jobId)
      if (woken) for (const wake of Array.from(woken)) wake()
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
