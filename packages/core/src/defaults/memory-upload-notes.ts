import type { UploadNote } from '../contracts/upload-note.ts'

/** Keeps in memory how many bytes uploads take. */
export interface MemoryUploadNotes {
  /** What `JobStore.noteUpload` promises. */
  add(note: UploadNote): void
  /** How many bytes the uploads of the owner take that have not expired at `now`. */
  bytesOf(owner: string, now: number): number
}

/** Makes the notes of one store. */
export function memoryUploadNotes(): MemoryUploadNotes {
  const notes = new Map<string, UploadNote>()
  return {
    add(note) {
      for (const { key, expiresAt } of notes.values()) if (expiresAt <= note.notedAt) notes.delete(key)
      if (note.bytes > 0) notes.set(note.key, note)
      else notes.delete(note.key)
    },
    bytesOf: (owner, now) =>
      [...notes.values()]
        .filter((note) => note.owner === owner && note.expiresAt > now)
        .reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
