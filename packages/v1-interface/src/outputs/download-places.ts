import { GenerationError } from '@genmount/core'

/** Counts the downloads that are open, because each of them may hold a file open. */
export interface DownloadPlaces {
  /**
   * Takes a place for the download of one file of this owner.
   * @returns a function that gives the place back; a second call of it does nothing
   * @throws GenerationError `capacity_exceeded` when all places are taken, or all places for the files of one owner
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
        throw new GenerationError('capacity_exceeded', 'Too many files are being downloaded. Try again.')
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
