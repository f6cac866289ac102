/**
 * How many subscribers are called before the process does other work. Each of them answers a request, so to call
 * thousands at once would block the process.
 */
const sliceSize = 50

/**
 * One subscription. `hear` becomes `undefined` when it ends, so that a `publish` in progress neither calls the
 * subscriber nor keeps it in memory.
 */
interface Subscription<Message> {
  hear: ((message: Message) => void) | undefined
}

/** Passes messages about jobs on to those who have subscribed to the job. */
export interface MemoryChannel<Message> {
  publish(jobId: string, message: Message): void
  /** @returns a function that ends the subscription */
  subscribe(jobId: string, hear: (message: Message) => void): () => void
}

/** A channel within this process. A message that many subscribers wait for reaches them in slices of 50. */
export function memoryChannel<Message>(): MemoryChannel<Message> {
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
