import type { UploadNote } from '../contracts/storage/upload-note.ts'
import {
  byInstant,
  addItem,
  first,
  itemsFrom,
  listOf,
  removeItem,
  sortedLists,
  sumFrom,
} from '../lists/sorted-list.ts'

/** Keeps in memory how many bytes uploads take. */
export interface MemoryUploadNotes {
  /** What `JobStore.noteUpload` promises. */
  add(note: UploadNote): void
  /** How many bytes the uploads of the owner take that have not expired at `now`. */
  bytesOf(owner: string, now: number): number
}

/** How many notes that have expired are deleted at once, so that no call takes long. */
const mostDeleted = 100

const byExpiry = byInstant<UploadNote>(
  ({ expiresAt }) => expiresAt,
  ({ key }) => key,
  ({ bytes }) => bytes,
)

export function memoryUploadNotes(): MemoryUploadNotes {
  const notes = new Map<string, UploadNote>()
  /** The notes of each owner, and without a name those of all. */
  const sorted = sortedLists(byExpiry)

  function remove(note: UploadNote | undefined): void {
    if (!note) return
    notes.delete(note.key)
    for (const owner of [undefined, note.owner]) removeItem(sorted, note, owner)
  }

  return {
    add(note) {
      const isExpired = ({ expiresAt }: UploadNote) => expiresAt <= note.notedAt
      for (const expired of first(itemsFrom(listOf(sorted)), mostDeleted, isExpired)) remove(expired)
      remove(notes.get(note.key))
      if (note.bytes <= 0) return
      notes.set(note.key, note)
      for (const owner of [undefined, note.owner]) addItem(sorted, note, owner)
    },
    bytesOf: (owner, now) => sumFrom(sorted, ({ expiresAt }) => expiresAt <= now, owner),
  }
}
