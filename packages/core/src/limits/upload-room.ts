import type { Clock } from '../contracts/clock.ts'
import type { JobStore } from '../contracts/job-store.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { storeUnavailable } from '../errors/store-unavailable.ts'
import type { LimitsOf } from './owner-limits.ts'
import type { Storage } from './storage.ts'

/** The file of an upload for which room is taken. */
export interface UploadPlace {
  readonly owner: string
  /** The key in the file store. */
  readonly key: string
  /** When the upload expires. Its bytes are free from then on. */
  readonly expiresAt: number
}

/** The room that an upload takes of what its owner may store. */
export interface UploadRoom {
  /**
   * Sees to it that there is room for so many bytes. Resolves at once if there was room for them already.
   * @throws GenerationError `insufficient_quota`, `store_unavailable`
   */
  hold(bytes: number): Promise<void> | undefined
  /** The upload is stored whole. @throws GenerationError `store_unavailable` */
  keep(bytes: number): Promise<void>
}

/** Counts uploads in the limit `storedBytes`. */
export interface UploadRooms {
  take(place: UploadPlace): UploadRoom
  /** Frees what the upload takes. @throws GenerationError `store_unavailable` */
  free(owner: string, key: string): Promise<void>
}

/** How many bytes more are reserved when an upload is longer than announced: fewer would mean more writes. */
const stepBytes = 8 * 1024 * 1024
/**
 * For how long room is taken before the upload is stored, in milliseconds: as long as an upload may take. What a process
 * had taken when it died is free after that.
 */
const reservedMs = 2 * 60 * 60_000

/**
 * Makes the rooms of one service. Room is written down before the sum of the owner is read. So of two uploads that would
 * pass the limit together, at least one sees the other, in whichever process.
 */
export function uploadRooms(
  { noteUpload, storedBytes }: Required<Pick<JobStore, 'noteUpload' | 'storedBytes'>>,
  limitsFor: LimitsOf,
  stored: Storage,
  clock: Clock,
): UploadRooms {
  async function note(owner: string, key: string, bytes: number, expiresAt = 0): Promise<void> {
    await noteUpload({ owner, key, bytes, expiresAt, notedAt: clock.now() }).catch(unreadable)
  }

  return {
    take({ owner, key, expiresAt }) {
      let held = 0

      async function reserve(bytes: number): Promise<void> {
        const { storedBytes: most = Infinity } = await limitsFor(owner)
        const now = clock.now()
        const until = Math.min(expiresAt, now + reservedMs)
        const wanted = held === 0 ? bytes : Math.max(bytes, held + stepBytes)
        await note(owner, key, wanted, until)
        if (most === Infinity) {
          held = wanted
          return
        }
        const others = (await storedBytes(owner, now).catch(unreadable)) - wanted
        if (others + bytes > most) throw noRoom(others, most)
        held = Math.min(wanted, most - others)
        if (held < wanted) await note(owner, key, held, until)
      }

      return {
        hold: (bytes) => (bytes > held ? reserve(bytes) : undefined),
        async keep(bytes) {
          await note(owner, key, bytes, expiresAt)
          stored.wrote(owner, bytes)
        },
      }
    },

    async free(owner, key) {
      await note(owner, key, 0)
      stored.deleted(owner)
    },
  }
}

function noRoom(bytes: number, most: number): GenerationError {
  const message = `There is no room for this upload: your files take ${bytes} bytes, and ${most} are allowed. Delete jobs or uploads, or wait until some expire.`
  return new GenerationError('insufficient_quota', message)
}

function unreadable(fault: unknown): never {
  throw fault instanceof GenerationError || fault instanceof TypeError ? fault : storeUnavailable(fault)
}
