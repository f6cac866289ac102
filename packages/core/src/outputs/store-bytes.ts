import type { ServiceParts } from '../contracts/service-parts.ts'
import type { FileStore } from '../contracts/storage/file-store.ts'
import type { JobOutput } from '../contracts/job.ts'
import type { NamedFile } from '../job/file-key.ts'
import type { ByteBudget } from '../sharing/shared-room.ts'
import { persist } from '../pacing/persist.ts'
import { shortText } from '../text/short-text.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** For how long to try again to store bytes that do not fit into the budget, in milliseconds. */
const unheldMs = 6000
/** How long one call to the file store or the spool may take, in milliseconds. */
const putLimitMs = 5 * 60_000

/** What {@link storeBytes} and {@link storeSpooled} work with. */
export interface StoreContext extends Pick<ServiceParts, 'clock' | 'files' | 'givingUp' | 'log' | 'spool'> {
  /** The budget for bytes that are held in memory. */
  readonly heldBytes: ByteBudget
}

/**
 * Stores bytes that exist nowhere else. If the file store fails, it holds them in memory and tries again: for `forMs`
 * milliseconds if they fit into the budget, otherwise for 6 seconds. The spool, if there is one, also stores them
 * during that time, so that they survive this process.
 * @throws the file store's error when the last try has failed
 */
export async function storeBytes(
  context: StoreContext,
  { fileKey, details }: NamedFile,
  bytes: Uint8Array,
  contentType: string,
  forMs: number,
): Promise<void> {
  const { files, spool, heldBytes, clock, log, givingUp } = context
  const putInto = (store: FileStore) => () => store.put(fileKey, bytes, contentType, details)
  const put = () => withinLimit(clock, putLimitMs, 'file store', putInto(files), givingUp)
  try {
    return await put()
  } catch (fault) {
    const release = heldBytes.hold(bytes.byteLength)
    const fate = givingUp.hasEnded
      ? `The service closes${spool ? '; the spool gets the file' : ', so the file is not stored'}.`
      : release
        ? 'The file is held in memory and stored later.'
        : 'Too many bytes are held in memory, so the file is lost unless it is stored within seconds.'
    log.warn(`The file store does not take ${fileKey} (${shortText(fault)}). ${fate}`)
    const spooled =
      spool &&
      withinLimit(clock, putLimitMs, 'spool', putInto(spool)).then(
        () => true,
        (reason: unknown) => void log.warn(`The spool does not take ${fileKey}: ${shortText(reason)}`),
      )
    try {
      await persist(put, { clock, givingUp, forMs: release ? forMs : unheldMs })
      if (await spooled) await withinLimit(clock, putLimitMs, 'spool', () => spool?.delete(fileKey))
    } finally {
      await spooled
      release?.()
    }
  }
}

/**
 * Moves a file from the spool into the file store.
 * @returns the output, or `undefined` when the file is not in the spool
 * @throws the error of the file store or of the spool
 */
export async function storeSpooled(
  context: StoreContext,
  { fileKey, details }: NamedFile,
): Promise<JobOutput | undefined> {
  const { files, spool, clock, givingUp } = context
  const file = spool && (await withinLimit(clock, putLimitMs, 'spool', () => spool.open?.(fileKey), givingUp))
  if (!file) return undefined
  const { contentType, size: bytes } = file
  const put = () => files.put(fileKey, file.read(), contentType, { ...details, expectedBytes: bytes })
  await withinLimit(clock, putLimitMs, 'file store', put, givingUp)
  await withinLimit(clock, putLimitMs, 'spool', () => spool.delete(fileKey), givingUp)
  return { fileKey, contentType, bytes }
}
