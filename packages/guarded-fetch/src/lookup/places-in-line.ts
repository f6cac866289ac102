/** So many at a time, and others wait. Owners take turns, and the wishes of each are served in the order in which they came. */
export interface PlacesInLine {
  /**
   * Waits for a place. An owner that has some gets no more than it leaves free for all others, nobody in particular may have
   * all.
   * @returns what gives the place back
   * @throws the reason of `signal`, on which a waiter leaves the line
   */
  enter(signal: AbortSignal, owner: string | undefined): Promise<() => void>
}

// Like the fair queue of @genmount/core, which this package does not depend on.
export function placesInLine(places: number): PlacesInLine {
  let free = places
  const placesOf = new Map<string | undefined, number>()
  /** The owner whose turn is next comes first. Sets, so that whoever leaves the middle of a long line costs nothing. */
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
      // To the end, where the loop comes to it again.
      waiting.delete(owner)
      if (line.size > 1) waiting.set(owner, line)
      line.delete(begin)
      begin()
    }
  }

  return {
    async enter(signal, owner) {
      signal.throwIfAborted()
      // While others wait there is no place that they may have, and this one's is not theirs.
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
