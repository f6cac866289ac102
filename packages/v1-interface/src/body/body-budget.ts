import { GenerationError } from '@genmount/core'

/** Counts the bytes that the bodies of all requests under way hold together. */
export interface BodyBudget {
  /** @throws GenerationError `capacity_exceeded` when there is no room for so many bytes more */
  take(bytes: number): void
  giveBack(bytes: number): void
}

export function bodyBudget(maxBytes: number): BodyBudget {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > maxBytes)
        throw new GenerationError('capacity_exceeded', 'Too many request bodies are on their way; try again.')
      held += bytes
    },
    giveBack: (bytes) => void (held -= bytes),
  }
}
