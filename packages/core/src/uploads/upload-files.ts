import type { Clock } from '../contracts/clock.ts'
import type { FileStore, StoredFile } from '../contracts/storage/file-store.ts'
import { filesUnavailable } from '../errors/generation-error.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { type UploadId, uploadKeyOf, expiryOfKey } from './upload-reference.ts'
import { uploadPrefix } from '../contracts/plugin/uploads.ts'

/** How long the file store may take to find, read or delete an upload, in milliseconds. */
const limitMs = 20_000

/** A stored file. */
export interface UploadFile {
  readonly key: string
  /** Absent when the file store has no `open`. It then has `link`. */
  readonly file?: StoredFile
}

/** The uploads in the file store. Each method fails as `store_unavailable` when the store fails. */
export interface UploadFiles {
  /** @returns `undefined` when the owner has no such upload in the store, expired or not */
  find(owner: string, upload: UploadId): Promise<UploadFile | undefined>
  /** @returns `undefined` when the store has no file with this key. A store without `open` is not asked */
  at(key: string): Promise<UploadFile | undefined>
  /** Reads the file, or its first `length` bytes. */
  read(file: StoredFile, length?: number): Promise<Uint8Array<ArrayBuffer>>
  link(key: string, untilAt: number): Promise<string>
  delete(key: string): Promise<void>
}

/** Finds uploads in the file store, which has `list`. */
export function uploadFiles(files: FileStore, clock: Clock): UploadFiles {
  const ask = <Result>(call: () => Promise<Result>): Promise<Result> =>
    withinLimit(clock, limitMs, 'file store', call).catch((cause: unknown) => {
      throw filesUnavailable(cause)
    })

  async function isListed(key: string): Promise<boolean> {
    for await (const listedKey of files.list?.(key) ?? []) if (listedKey === key) return true
    return false
  }

  async function at(key: string): Promise<UploadFile | undefined> {
    const { open } = files
    if (!open) return { key }
    const file = await ask(() => open(key))
    return file && { key, file }
  }

  return {
    at,
    async find(owner, upload) {
      const key = await uploadKeyOf(owner, upload)
      const isThere = files.open !== undefined || (await ask(() => isListed(key)))
      return isThere ? at(key) : undefined
    },
    read: (file, length = file.size) =>
      ask(async () => {
        const range = { start: 0, end: Math.min(length, file.size) - 1 }
        return new Uint8Array(await new Response(file.read(range)).arrayBuffer())
      }),
    link: (key, untilAt) => ask(async () => (await files.link?.(key, untilAt)) ?? ''),
    delete: (key) => ask(() => files.delete(key)),
  }
}

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
  await Promise.all(expired.slice(0, deletesAtATime).map(deleteNext))
  if (faults.length > 0) throw faults[0]
  return hasMore
}
