import { GenerationError, sharedRoom } from '@genmount/core'

/** Counts the bytes in memory that belong to the request bodies of one owner. */
export interface BodyBudget {
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
  return (owner) => ({
    take(bytes) {
      if (!room.fits(bytes)) throw full('Too many request bodies are being received. Try again.')
      if (!room.mayHave(owner, bytes))
        throw full('Too many of your request bodies are being received. Try again.')
      room.add(owner, bytes)
    },
    giveBack: (bytes) => room.add(owner, -bytes),
  })
}

function full(message: string): GenerationError {
  return new GenerationError('capacity_exceeded', message)
}
