/**
 * A limited number of places. A request that finds no free place waits. Owners take turns, and the requests of one
 * owner keep their order.
 */
export interface PlacesInLine {
  /**
   * Waits for a place. An owner that already has places gets another one only if at least as many stay free for the
   * others as this owner then has. Requests without an owner may take all places.
   * @returns a function that gives the place back
   * @throws the reason of `signal`, when `signal` aborts during the wait
   */
  enter(signal: AbortSignal, owner: string | undefined): Promise<() => void>
}

// @genmount/core has a similar fair queue, but this package does not depend on core.
export function placesInLine(places: number): PlacesInLine {
  let free = places
  const placesOf = new Map<string | undefined, number>()
  /**
   * The owner whose turn is next comes first. Each line is a Set, so that leaving the middle of a long line is cheap.
   */
  const waiting = new Map<string | undefined, Set<() => void>>()

  function mayEnter(owner: string | undefined): boolean {
    const own = placesOf.get(owner) ?? 0
    return free > 0 && (owner === undefined || own === 0 || own + 1 <= free - 1)
  }

  function take(owner: string | undefined): () => void {
    free--
    placesOf.set(owner, (placesOf.get(owner) ?? 0) + 1)
    return () => giveBack(owner)
  }

  function giveBack(owner: string | undefined): void {
    free++
    const left = (placesOf.get(owner) ?? 0) - 1
    if (left === 0) placesOf.delete(owner)
    else placesOf.set(owner, left)
    callNext()
  }

  function callNext(): void {
    for (const [owner, line] of waiting) {
      const [begin] = line
      if (!begin || !mayEnter(owner)) continue
      // Moves the owner to the end of the Map. The loop reaches it again there.
      waiting.delete(owner)
      if (line.size > 1) waiting.set(owner, line)
      line.delete(begin)
      begin()
    }
  }

  return {
    async enter(signal, owner) {
      signal.throwIfAborted()
      // This overtakes no other request: those that still wait are not allowed to have a place at the moment.
      if (mayEnter(owner)) return take(owner)
      return new Promise<() => void>((resolve, reject) => {
        const line = waiting.get(owner) ?? new Set()
        const quit = () => {
          line.delete(begin)
          if (line.size === 0) waiting.delete(owner)
          reject(signal.reason)
        }
        const begin = () => {
          signal.removeEventListener('abort', quit)
          resolve(take(owner))
        }
        waiting.set(owner, line.add(begin))
        signal.addEventListener('abort', quit)
      })
    },
  }
}
