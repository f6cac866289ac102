/** Divides reads among the turns of the event loop, so that other work of the process need not wait for all of them. */
export interface ReadingTurns {
  /** Waits for a turn that has a place left, in the order of the calls, and takes the place. */
  take(): Promise<void>
  /** Gives a place of the present turn back, after a read of few bytes. */
  giveBack(): void
}

/**
 * Makes turns of the event loop in each of which at most `readsPerTurn` reads of many bytes begin. A read that still
 * waits for its client takes no place in later turns. Needs `setImmediate`, which Deno has.
 */
export function readingTurns(readsPerTurn: number): ReadingTurns {
  let places = readsPerTurn
  let nextTurn: Promise<void> | undefined

  function begin(resolve: () => void): void {
    places = readsPerTurn
    nextTurn = undefined
    resolve()
  }

  async function take(): Promise<void> {
    if (places > 0) return void places--
    await (nextTurn ??= new Promise((resolve) => void setImmediate(begin, resolve)))
    return take()
  }

  return { take, giveBack: () => void (places = Math.min(readsPerTurn, places + 1)) }
}
