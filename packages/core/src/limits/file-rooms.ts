import type { Clock } from '../contracts/clock.ts'
import { type FileRooms, longestArrivalMs } from '../contracts/plugin/file-rooms.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { GenerationError, throwUnavailable } from '../errors/generation-error.ts'
import type { LimitsOf } from './limits-of.ts'
import type { Storage } from './storage.ts'

/** How many more bytes are reserved when an upload is longer than announced. Smaller steps would need more writes. */
const stepBytes = 8 * 1024 * 1024
/**
 * Makes the rooms of one service. A reservation is written to the store before the owner's sum is read. So if two
 * uploads together would exceed the limit, at least one of them sees the other, even in another process.
 */
export function fileRooms(
  { noteUpload, storedBytes }: Required<Pick<JobStore, 'noteUpload' | 'storedBytes'>>,
  limitsFor: LimitsOf,
  stored: Storage,
  clock: Clock,
): FileRooms {
  async function note(owner: string, key: string, bytes: number, expiresAt = 0): Promise<void> {
    await noteUpload({ owner, key, bytes, expiresAt, notedAt: clock.now() }).catch(throwUnavailable)
  }

  async function free(owner: string, key: string): Promise<void> {
    await note(owner, key, 0)
    stored.deleted(owner)
  }

  return {
    take({ owner, key, expiresAt }) {
      let held = 0
      let reserving: Promise<void> | undefined

      async function reserve(bytes: number): Promise<void> {
        const { storedBytes: most = Infinity } = await limitsFor(owner)
        const now = clock.now()
        const until = Math.min(expiresAt, now + longestArrivalMs)
        const wanted = held === 0 ? bytes : Math.max(bytes, held + stepBytes)
        await note(owner, key, wanted, until)
        if (most === Infinity) {
          held = wanted
          return
        }
        const others = (await storedBytes(owner, now).catch(throwUnavailable)) - wanted
        if (others + bytes > most) throw noRoom(others, most)
        held = Math.min(wanted, most - others)
        if (held < wanted) await note(owner, key, held, until)
      }

      return {
        hold: (bytes) => (bytes > held ? (reserving = reserve(bytes)) : undefined),
        async keep(bytes) {
          // A reservation that came to the store later would replace this note, and end in two hours.
          await reserving
          await note(owner, key, bytes, expiresAt)
          stored.wrote(owner, bytes)
        },
        async giveBack() {
          await reserving?.catch(() => {})
          await free(owner, key)
        },
      }
    },

    free,
  }
}

function noRoom(bytes: number, most: number): GenerationError {
  const message = `There is no room for this file. Your files take ${bytes} bytes; ${most} are allowed. Delete jobs or uploads, or wait until they expire.`
  return new GenerationError('insufficient_quota', message)
}
