import { GenerationError } from '../errors/generation-error.ts'
import { sharedRoom } from '../sharing/shared-room.ts'

/** The content of a file in memory. */
export interface MemoryFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
}

/** The room of a file that is being stored. */
export interface FilePlace {
  /**
   * Reserves room for this many bytes in all. Does nothing if so much room was already reserved.
   * @throws GenerationError `capacity_exceeded`; the room that was reserved before stays
   */
  hold(bytes: number): void
  /** Stores the file, in place of an earlier one with its key. @throws GenerationError `capacity_exceeded` */
  keep(file: MemoryFile): void
  /** Frees what is reserved and not kept. */
  leave(): void
}

/** Files in memory that share a number of bytes. */
export interface MemoryFiles {
  /**
   * Begins to store a file.
   * @param isShared whether the owner may store it only if the files of the owner leave as much free as they take
   */
  place(key: string, owner: string, isShared: boolean): FilePlace
  read(key: string): MemoryFile | undefined
  delete(key: string): void
  keys(): Iterable<string>
}

/** For how long a file is never dropped, in milliseconds: a link to an output lives no longer. */
const keptMs = 60 * 60_000

interface Entry {
  readonly key: string
  readonly owner: string
  readonly file: MemoryFile
  readonly size: number
  readonly storedAt: number
}

/** Keeps files of at most `maxBytes` together. Reserved room counts as well. */
export function memoryFiles(maxBytes: number): MemoryFiles {
  /** The files that must stay, in the order in which they were stored. */
  const fresh = new Map<string, Entry>()
  /** The files that may be dropped, the least recently read one first; and the same for each owner. */
  const idle = new Map<string, Entry>()
  const idleOf = new Map<string, Map<string, Entry>>()
  /** The fresh files and the reserved room. */
  const room = sharedRoom(maxBytes)
  let idleBytes = 0

  function addIdle(entry: Entry): void {
    idle.set(entry.key, entry)
    const own = idleOf.get(entry.owner)
    if (own) own.set(entry.key, entry)
    else idleOf.set(entry.owner, new Map([[entry.key, entry]]))
    idleBytes += entry.size
  }

  function removeIdle({ key, owner, size }: Entry): void {
    idle.delete(key)
    const own = idleOf.get(owner)
    own?.delete(key)
    if (own?.size === 0) idleOf.delete(owner)
    idleBytes -= size
  }

  function removeFresh({ key, owner, size }: Entry): void {
    fresh.delete(key)
    room.add(owner, -size)
  }

  /** Files become idle in the order in which they were stored. */
  function age(): void {
    const before = performance.now() - keptMs
    for (const entry of fresh.values()) {
      if (entry.storedAt > before) return
      removeFresh(entry)
      addIdle(entry)
    }
  }

  function remove(key: string): void {
    const entry = fresh.get(key)
    if (entry) removeFresh(entry)
    const dropped = idle.get(key)
    if (dropped) removeIdle(dropped)
  }

  /** Drops idle files until all files fit, first those of the owner. Fresh files and reserved room always fit. */
  function makeRoom(owner: string): void {
    for (const entries of [idleOf.get(owner), idle])
      for (const entry of entries?.values() ?? []) {
        if (room.held + idleBytes <= maxBytes) return
        removeIdle(entry)
      }
  }

  return {
    place(key, owner, isShared) {
      let held = 0

      /** Reserves room for so many bytes in all. @returns why not; nothing has changed then */
      function take(bytes: number): GenerationError | undefined {
        age()
        const more = bytes - (fresh.get(key)?.size ?? 0)
        room.add(owner, -held)
        const mayHave = !isShared || room.mayHave(owner, more)
        const fits = mayHave && room.fits(more)
        if (fits) held = bytes
        room.add(owner, held)
        return fits ? undefined : noRoom(mayHave)
      }

      return {
        hold(bytes) {
          if (bytes <= held) return
          // Without these steps, streams that grow alike would all be refused at the same time, and none would be stored.
          const isEnough = 2 * held > bytes && !take(2 * held)
          const refusal = isEnough ? undefined : take(bytes)
          if (refusal) throw refusal
        },
        keep(file) {
          // An empty file takes some memory, too.
          const size = file.bytes.byteLength + 1
          const refusal = take(size)
          if (refusal) throw refusal
          remove(key)
          fresh.set(key, { key, owner, file, size, storedAt: performance.now() })
          held = 0
          makeRoom(owner)
        },
        leave() {
          room.add(owner, -held)
          held = 0
        },
      }
    },

    read(key) {
      age()
      const entry = idle.get(key)
      if (!entry) return fresh.get(key)?.file
      removeIdle(entry)
      addIdle(entry)
      return entry.file
    },

    delete: remove,

    *keys() {
      yield* fresh.keys()
      yield* idle.keys()
    },
  }
}

function noRoom(mayHave: boolean): GenerationError {
  const message = mayHave
    ? 'The file store has no room for this file now. Try again later.'
    : 'The file store has no room for more of your uploads now. Delete some, or try again later.'
  return new GenerationError('capacity_exceeded', message)
}
