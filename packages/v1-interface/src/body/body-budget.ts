import { GenerationError, sharedRoom } from '@genmount/core'

/** Counts the bytes in memory that belong to the request bodies of one owner. */
export interface BodyBudget {
  /**
   * Begins a body of this announced length, before any of its bytes have arrived. Announced bytes that have not arrived
   * count only against this owner.
   * @returns a function that ends the body
   * @throws GenerationError `capacity_exceeded` when the owner's begun bodies would be longer than `ownBytes` and longer
   *   than half of `maxBytes`
   */
  begin(bytes: number): () => void
  /** @throws GenerationError `capacity_exceeded` when there is no room for this many more bytes */
  take(bytes: number): void
  giveBack(bytes: number): void
}

/**
 * The budgets of all owners, who share `maxBytes`. The bodies of one owner may always hold `ownBytes`, as
 * long as there is room; above that they may hold at most as many bytes as stay free for all other owners.
 */
export function bodyBudgets(maxBytes: number, ownBytes: number): (owner: string) => BodyBudget {
  const room = sharedRoom(maxBytes, ownBytes)
  const mostOfOne = Math.max(ownBytes, maxBytes / 2)
  const begun = new Map<string, number>()
  const tooMuch = () => full('Too many of your request bodies are being received. Try again.')

  function addBegun(owner: string, bytes: number): void {
    const sum = (begun.get(owner) ?? 0) + bytes
    if (sum === 0) begun.delete(owner)
    else begun.set(owner, sum)
  }

  return (owner) => ({
    begin(bytes) {
      if ((begun.get(owner) ?? 0) + bytes > mostOfOne) throw tooMuch()
      addBegun(owner, bytes)
      return () => addBegun(owner, -bytes)
    },
    take(bytes) {
      if (!room.fits(bytes)) throw full('Too many request bodies are being received. Try again.')
      if (!room.mayHave(owner, bytes)) throw tooMuch()
      room.add(owner, bytes)
    },
    giveBack: (bytes) => room.add(owner, -bytes),
  })
}

function full(message: string): GenerationError {
  return new GenerationError('capacity_exceeded', message)
}
