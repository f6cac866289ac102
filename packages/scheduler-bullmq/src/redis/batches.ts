import { systemClock } from '@genmount/core'

/** The most entries that wait for Redis. Beyond this, each new entry replaces the oldest. */
const maxWaiting = 10_000
/** The most entries in one batch. */
const maxBatch = 500
/** How many milliseconds after a failure the batch is sent again. */
const retryMs = 1000

const clock = systemClock()

/** Sends entries to Redis in batches. */
export interface Batches<Value> {
  /** Sends the entry soon, and replaces an unsent entry with the same key. Never throws. */
  put(key: string, value: Value): void
  /**
   * Resolves when every entry is sent, or after `limitMs` milliseconds. Entries that are unsent by then are dropped.
   */
  end(limitMs: number): Promise<void>
}

/**
 * Sends entries in batches: the next batch goes out when Redis has answered the one before. So while Redis does not
 * answer, at most one batch of commands and 10,000 entries are in memory.
 * @param send sends a batch. A batch that fails is sent again a second later, without entries that were replaced by
 * then
 * @param onFault is called with each failure
 */
export function batches<Value>(
  send: (batch: ReadonlyMap<string, Value>) => Promise<unknown>,
  onFault: (fault: unknown) => void,
): Batches<Value> {
  const entries = new Map<string, Value>()
  let sending: Promise<void> | undefined
  let hasEnded = false

  async function sendAll(): Promise<void> {
    // Entries that are put in the same turn of the event loop share a batch.
    await undefined
    while (entries.size > 0) {
      const batch = nextBatch()
      try {
        await send(batch)
      } catch (fault) {
        onFault(fault)
        putBack(batch)
        await after(retryMs)
      }
    }
    sending = undefined
  }

  function nextBatch(): ReadonlyMap<string, Value> {
    const batch = new Map<string, Value>()
    for (const [key, value] of entries) {
      batch.set(key, value)
      entries.delete(key)
      if (batch.size === maxBatch) break
    }
    return batch
  }

  function putBack(batch: ReadonlyMap<string, Value>): void {
    if (hasEnded) return
    for (const [key, value] of batch)
      if (!entries.has(key) && entries.size < maxWaiting) entries.set(key, value)
  }

  return {
    put(key, value) {
      if (hasEnded) return
      entries.delete(key)
      const { value: oldest } = entries.keys().next()
      if (oldest !== undefined && entries.size >= maxWaiting) entries.delete(oldest)
      entries.set(key, value)
      sending ??= sendAll()
    },
    async end(limitMs) {
      await Promise.race([sending, after(limitMs)])
      hasEnded = true
      entries.clear()
    },
  }
}

/** Resolves after this many milliseconds. The timer does not keep the process alive. */
export function after(delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve))
}
