import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import type { Log } from '../contracts/log.ts'
import type { ByteBudget } from '../sharing/byte-budget.ts'
import type { Ending } from '../pacing/ending.ts'
import { persist } from '../pacing/persist.ts'
import { shortText } from '../text/short-text.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** For how long the file store is tried again with bytes that exceed the budget. */
const unheldMs = 6000
/** How long one try may take. */
const putLimitMs = 5 * 60_000

export interface KeepContext {
  readonly files: FileStore
  /** Takes bytes that `files` does not take. */
  readonly spool: FileStore | undefined
  readonly heldBytes: ByteBudget
  readonly clock: Clock
  readonly log: Log
  readonly givingUp: Ending
}

/**
 * Stores bytes that exist nowhere else, and holds them while the file store is away: for `forMs`, if they fit into the
 * budget. Where there is a spool they are put there meanwhile, so that they outlive this process.
 * @throws the file store's fault when it is still away
 */
export async function keepBytes(
  context: KeepContext,
  fileKey: string,
  bytes: Uint8Array,
  contentType: string,
  forMs: number,
): Promise<void> {
  const { files, spool, heldBytes, clock, log, givingUp } = context
  const putInto = (store: FileStore) => () =>
    withinLimit(clock, putLimitMs, 'file store', () => store.put(fileKey, bytes, contentType))
  const put = putInto(files)
  try {
    return await put()
  } catch (fault) {
    const release = heldBytes.hold(bytes.byteLength)
    const fate = release ? 'held in memory and stored later' : 'lost if that lasts: too many are held already'
    log.warn(`The file store does not take ${fileKey} (${shortText(fault)}); its bytes are ${fate}.`)
    const spooled =
      spool &&
      putInto(spool)().then(
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
 * Moves bytes from the spool into the file store.
 * @returns their media type, or `undefined` when they are not in the spool
 * @throws the fault of either store
 */
export async function keepSpooled(context: KeepContext, fileKey: string): Promise<string | undefined> {
  const { files, spool, clock } = context
  const file = spool && (await withinLimit(clock, putLimitMs, 'spool', () => spool.open?.(fileKey)))
  if (!file) return undefined
  const { contentType } = file
  await withinLimit(clock, putLimitMs, 'file store', () => files.put(fileKey, file.read(), contentType))
  await withinLimit(clock, putLimitMs, 'spool', () => spool.delete(fileKey))
  return contentType
}
