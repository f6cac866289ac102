/**
 * Divides reads among the turns of the event loop, so that other work of the process need not wait for all of them.
 * Needs `setImmediate`, which Deno has.
 * @returns a function that waits for a turn in which fewer than `readsPerTurn` reads have begun, in the order of the calls
 */
export function readingTurns(readsPerTurn: number): () => Promise<void> {
  let places = readsPerTurn
  let nextTurn: Promise<void> | undefined

  function begin(resolve: () => void): void {
    places = readsPerTurn
    nextTurn = undefined
    resolve()
  }

  return async function take(): Promise<void> {
    if (places > 0) return void places--
    await (nextTurn ??= new Promise((resolve) => void setImmediate(begin, resolve)))
    return take()
  }
}
