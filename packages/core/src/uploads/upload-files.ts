import type { Clock } from '../contracts/clock.ts'
import type { FileStore, StoredFile } from '../contracts/file-store.ts'
import { filesUnavailable } from '../errors/files-unavailable.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { type UploadId, uploadKeyOf } from './upload-reference.ts'

/** How long the file store may take to find, read or delete an upload, in milliseconds. */
const limitMs = 20_000

/** A stored upload. */
export interface UploadFile {
  readonly key: string
  /** Absent when the file store has no `open`. It then has `link`. */
  readonly file?: StoredFile
}

/** The uploads in the file store. Each method fails as `store_unavailable` when the store fails. */
export interface UploadFiles {
  /** @returns `undefined` when the owner has no such upload in the store, expired or not */
  find(owner: string, upload: UploadId): Promise<UploadFile | undefined>
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

  return {
    async find(owner, upload) {
      const key = await uploadKeyOf(owner, upload)
      const { open } = files
      if (!open) return (await ask(() => isListed(key))) ? { key } : undefined
      const file = await ask(() => open(key))
      return file && { key, file }
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
