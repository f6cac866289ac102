import type { JobSignals } from '../contracts/job-signals.ts'

/** How many are woken before others have their turn, because each that wakes answers a request. */
const sliceSize = 50

/** One subscription. It forgets whom to wake when it ends, so that a wake-up under way holds on to nobody who has left. */
interface Watcher {
  wake: (() => void) | undefined
}

/** Signals within this process. */
export function memorySignals(): JobSignals {
  const watchers = new Map<string, Set<Watcher>>()

  return {
    publish(jobId) {
      const watching = watchers.get(jobId)
      if (watching) wakeSlice(Array.from(watching))
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

function wakeSlice(watching: readonly Watcher[], from = 0): void {
  const next = from + sliceSize
  for (const watcher of watching.slice(from, next)) watcher.wake?.()
  if (next < watching.length) setTimeout(() => wakeSlice(watching, next))
}
