import type { Ending } from '../contracts/ending.ts'
import { append, type Linked, type LinkedList, takeOut } from '../lists/linked-list.ts'

/** An ending together with the function that makes it happen. */
export interface OwnEnding extends Ending {
  /** Makes the event happen and calls all listeners. Later calls do nothing. */
  end(): void
}

/**
 * Creates an ending. An AbortSignal can't be used here: in Cloudflare's workers it belongs to the request in which it
 * was created, and an ending may last for many requests.
 */
export function ending(): OwnEnding {
  const listeners: LinkedList<Listening> = {}
  // `hasEnded` is a plain field: V8 makes a new hidden class for every object literal with a getter, and keeps
  // everything that the getter can reach until a collection of the whole heap.
  const own = {
    hasEnded: false,
    onEnd(listener: () => void) {
      const listening: Listening = { listener }
      if (own.hasEnded) listener()
      else append(listeners, listening)
      return () => takeOut(listeners, listening)
    },
    end() {
      own.hasEnded = true
      while (listeners.first) {
        const { first } = listeners
        takeOut(listeners, first)
        first.listener()
      }
    },
  }
  return own
}

interface Listening extends Linked<Listening> {
  readonly listener: () => void
}

/** Counts the work under way, so that a caller can wait until none is left. */
interface Tally {
  /** Records that a piece of work has begun. */
  begin(): void
  /** Records that a piece of work has ended. */
  end(): void
  /** Resolves as soon as no work is under way. */
  settled(): Promise<void>
}

export function tally(): Tally {
  let underWay = 0
  let waiting: (() => void)[] = []

  async function settled(): Promise<void> {
    if (underWay === 0) return
    await new Promise<void>((resolve) => waiting.push(resolve))
    // New work may have begun since.
    return settled()
  }

  return {
    begin() {
      underWay++
    },
    end() {
      underWay--
      if (underWay > 0) return
      const waited = waiting
      waiting = []
      for (const resolve of waited) resolve()
    },
    settled,
  }
}
