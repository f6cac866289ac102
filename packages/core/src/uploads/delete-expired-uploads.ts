import type { Clock } from '../contracts/clock.ts'
import type { FileStore } from '../contracts/file-store.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { uploadPrefix } from '../text/upload-url.ts'
import { expiryOfKey } from './upload-reference.ts'

const deletesAtATime = 16
/** How long the file store may take to delete one file, in milliseconds. */
const deleteLimitMs = 10_000

/**
 * Deletes up to `limit` expired uploads, including those that other processes have stored.
 * @returns whether there were more
 * @throws the first fault of the file store, after it has tried to delete all of them
 */
export async function deleteExpiredUploads(
  {
    files,
    clock,
    sureNow,
  }: { readonly files: FileStore; readonly clock: Clock; readonly sureNow: () => number },
  limit: number,
): Promise<boolean> {
  const expired: string[] = []
  for await (const key of files.list?.(uploadPrefix) ?? []) {
    if (sureNow() < (expiryOfKey(key) ?? Infinity)) continue
    expired.push(key)
    if (expired.length === limit) break
  }
  const hasMore = expired.length === limit
  const faults: unknown[] = []
  const deleteNext = async (): Promise<void> => {
    for (let key = expired.pop(); key !== undefined; key = expired.pop()) {
      const file = key
      await withinLimit(clock, deleteLimitMs, 'file store', () => files.delete(file)).catch(
        (fault: unknown) => faults.push(fault),
      )
    }
  }
  await Promise.all(Array.from({ length: deletesAtATime }, deleteNext))
  if (faults.length > 0) throw faults[0]
  return hasMore
}
