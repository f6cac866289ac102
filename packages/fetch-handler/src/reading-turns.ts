/** Divides reads among the turns of the event loop, so that other work of the process need not wait for all of them. */
export interface ReadingTurns {
  /**
   * Takes the room that one read may need.
   * @returns `undefined` if this turn has the room; otherwise a promise that resolves in a later turn, in the order of
   * the calls
   */
  take(): Promise<void> | undefined
  /** Ends a read. The rest of its room is free for other reads. */
  end(readBytes: number): void
}

/**
 * Makes the turns of readers that may read `bytesPerTurn` together in one turn, and each at most `bytesPerRead` at a
 * time. A read that waits for its client takes no room of later turns. Needs `setImmediate`, which Deno and Node have.
 */
export function readingTurns(bytesPerTurn: number, bytesPerRead: number): ReadingTurns {
  const readsPerTurn = Math.floor(bytesPerTurn / bytesPerRead)
  const waiting: (() => void)[] = []
  let left = bytesPerTurn

  function nextTurn(): void {
    const next = waiting.splice(0, readsPerTurn)
    left = bytesPerTurn - next.length * bytesPerRead
    if (waiting.length > 0) setImmediate(nextTurn)
    for (const resolve of next) resolve()
  }

  return {
    take() {
      if (waiting.length === 0 && left >= bytesPerRead) return void (left -= bytesPerRead)
      if (waiting.length === 0) setImmediate(nextTurn)
      return new Promise((resolve) => void waiting.push(resolve))
    },
    end: (readBytes) => void (left = Math.min(bytesPerTurn, left + bytesPerRead - readBytes)),
  }
}
