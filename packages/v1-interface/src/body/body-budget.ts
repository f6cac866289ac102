import { GenerationError, sharedRoom } from '@genmount/core'

/** Counts the bytes that the bodies of an owner's requests under way hold. */
export interface BodyBudget {
  /** @throws GenerationError `capacity_exceeded` when there is no room for so many bytes more */
  take(bytes: number): void
  giveBack(bytes: number): void
}

/**
 * The budgets of all owners, who share `maxBytes`: beyond `ownBytes`, the bodies of one owner hold no more than they leave
 * to all others.
 */
export function bodyBudgets(maxBytes: number, ownBytes: number): (owner: string) => BodyBudget {
  const room = sharedRoom(maxBytes, ownBytes)
  return (owner) => ({
    take(bytes) {
      if (!room.fits(bytes)) throw full('Too many request bodies are on their way; try again.')
      if (!room.mayHave(owner, bytes))
        throw full('Too many of your request bodies are on their way; try again.')
      room.add(owner, bytes)
    },
    giveBack: (bytes) => room.add(owner, -bytes),
  })
}

function full(message: string): GenerationError {
  return new GenerationError('capacity_exceeded', message)
}
