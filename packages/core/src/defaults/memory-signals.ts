import type { JobNews } from '../contracts/provider-report.ts'
import type { JobSignals } from '../contracts/storage/job-signals.ts'
import type { Job } from '../contracts/job.ts'

/** Signals and news within this process. They call the subscribers in slices of 50. */
export function memorySignals(): Required<Omit<JobSignals, 'close'>> {
  return { ...memoryChannel<Job | undefined>(), news: memoryChannel<JobNews>() }
}

/**
 * How many subscribers are called in one turn of the event loop. Each subscriber answers a request, so calling
 * thousands in one turn would block the process.
 */
const sliceSize = 50

/**
 * One subscription. `hear` becomes `undefined` when it ends, so that a `publish` in progress neither calls the
 * subscriber nor keeps it in memory.
 */
interface Subscription<Message> {
  hear: ((message: Message) => void) | undefined
}

/** Passes messages about jobs on to the subscribers of the job. */
interface MemoryChannel<Message> {
  publish(jobId: string, message: Message): void
  /** @returns a function that ends the subscription */
  subscribe(jobId: string, hear: (message: Message) => void): () => void
}

/** A channel within this process. It calls the subscribers of a message in slices of 50. */
function memoryChannel<Message>(): MemoryChannel<Message> {
  const subscriptions = new Map<string, Set<Subscription<Message>>>()

  return {
    publish(jobId, message) {
      const subscribed = subscriptions.get(jobId)
      if (subscribed) tellSlice(Array.from(subscribed), message)
    },
    subscribe(jobId, hear) {
      const subscribed = subscriptions.get(jobId) ?? new Set()
      const subscription: Subscription<Message> = { hear }
      subscriptions.set(jobId, subscribed.add(subscription))
      return () => {
        subscription.hear = undefined
        subscribed.delete(subscription)
        if (subscribed.size === 0 && subscriptions.get(jobId) === subscribed) subscriptions.delete(jobId)
      }
    },
  }
}

function tellSlice<Message>(subscribed: readonly Subscription<Message>[], message: Message, from = 0): void {
  const next = from + sliceSize
  for (const subscription of subscribed.slice(from, next)) subscription.hear?.(message)
  if (next < subscribed.length) setTimeout(() => tellSlice(subscribed, message, next))
}
