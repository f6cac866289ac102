import { LRUCache } from 'lru-cache'

/**
 * What this process remembers about the calls of SDKs that have no idempotency key. It only decides between calls that are
 * equal to the byte; that a job is not made twice rests on the job store.
 */
export interface CallMemory {
  /** A call is being answered, or was answered: a retry more likely belongs to another one. */
  holds(callId: string): void
  /** The client of a call has left without its answer. */
  lost(callId: string): void
  isHeld(callId: string): boolean
  /** A try of a call was refused before it had a job, and its SDK sends it again. @param tries how many tries came before it */
  refused(call: string, tries: number): void
  /**
   * Whether a try of a call like this was refused, and its retry has not come so far. Takes the refusal away.
   * @param tries how many tries came before the one that was refused
   */
  takeRefusal(call: string, tries: number): boolean
  /** Counts a call whose jobs are being created, until `created` has settled. */
  creates(call: string, created: Promise<unknown>): void
  /** Resolves when no call like this is being created. */
  settled(call: string): Promise<unknown>
}

/** How long the retry of a refused request may take to come, in milliseconds: a minute at most, and its way. */
const refusalMs = 120_000

/** Makes the memory of one interface. */
export function callMemory(): CallMemory {
  const held = new LRUCache<string, true>({ max: 10_000 })
  const refusals = new LRUCache<string, number>({ max: 10_000, ttl: refusalMs })
  const creating = new Map<string, Set<Promise<unknown>>>()

  return {
    holds: (callId) => void held.set(callId, true),
    lost: (callId) => void held.delete(callId),
    isHeld: (callId) => held.has(callId),
    refused(call, tries) {
      const name = `${tries} ${call}`
      refusals.set(name, (refusals.get(name) ?? 0) + 1)
    },
    takeRefusal(call, tries) {
      const name = `${tries} ${call}`
      const count = refusals.get(name) ?? 0
      if (count > 1) refusals.set(name, count - 1)
      else refusals.delete(name)
      return count > 0
    },
    creates(call, created) {
      const others = creating.get(call) ?? new Set()
      creating.set(call, others.add(created))
      const over = () => {
        others.delete(created)
        if (others.size === 0) creating.delete(call)
      }
      created.then(over, over)
    },
    settled: (call) => Promise.allSettled(creating.get(call) ?? []),
  }
}
