import { GenerationError } from '@genmount/core'

/** Counts the downloads that are open, each of which may hold a file open. */
export interface DownloadPlaces {
  /**
   * @returns what gives the place back; to call it again does nothing
   * @throws GenerationError `capacity_exceeded` when all places are taken, or all that one owner's files may have
   */
  take(owner: string): () => void
}

export function downloadPlaces(max: number, maxPerOwner: number): DownloadPlaces {
  let open = 0
  const ofOwner = new Map<string, number>()

  return {
    take(owner) {
      const places = ofOwner.get(owner) ?? 0
      if (open >= max || places >= maxPerOwner)
        throw new GenerationError('capacity_exceeded', 'Too many files are being downloaded; try again.')
      let isTaken = true
      open++
      ofOwner.set(owner, places + 1)
      return () => {
        if (!isTaken) return
        isTaken = false
        open--
        const left = (ofOwner.get(owner) ?? 0) - 1
        if (left > 0) ofOwner.set(owner, left)
        else ofOwner.delete(owner)
      }
    },
  }
}
