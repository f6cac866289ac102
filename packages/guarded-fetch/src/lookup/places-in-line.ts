/** So many at a time, and the others in the order in which they came. */
export interface PlacesInLine {
  /** Waits for a place. @returns what gives the place back @throws the reason of `signal`, on which a waiter leaves the line */
  enter(signal: AbortSignal): Promise<() => void>
}

export function placesInLine(places: number): PlacesInLine {
  let free = places
  /** A Set, so that whoever leaves the middle of a long line costs nothing. */
  const waiting = new Set<() => void>()

  function leave(): void {
    const [next] = waiting
    if (next) next()
    else free++
  }

  return {
    async enter(signal) {
      signal.throwIfAborted()
      if (free > 0) {
        free--
        return leave
      }
      await new Promise<void>((resolve, reject) => {
        const quit = () => {
          waiting.delete(begin)
          reject(signal.reason)
        }
        const begin = () => {
          waiting.delete(begin)
          signal.removeEventListener('abort', quit)
          resolve()
        }
        waiting.add(begin)
        signal.addEventListener('abort', quit)
      })
      return leave
    },
  }
}
