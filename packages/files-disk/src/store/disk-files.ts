import fs from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import {
  type ByteRange,
  checkFileFetch,
  checkOptions,
  type FileFetch,
  type FileStore,
  optional,
  type OptionTable,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { createFolder, syncFolderTogether } from '../disk/durable-folder.ts'
import { inFolder } from '../disk/folder-error.ts'
import { hourMs, incomingName, sweepIncoming } from '../disk/incoming-files.ts'
import { pulledStream } from '../disk/pulled-stream.ts'
import { tryFolder } from '../disk/try-folder.ts'
import { openStored } from './open-stored.ts'
import { placeOf } from './place-of.ts'
import { storedContent } from './stored-content.ts'
import { writeStored } from './write-stored.ts'

const open = promisify(fs.open)

/** The options of `diskFiles`. */
export interface DiskFilesOptions {
  /**
   * The path of the folder. It must hold nothing but these files. `ready()` or the first `put` creates it if it does
   * not exist.
   */
  readonly folder: string
  /**
   * Downloads the outputs that are copied from a provider's URL into this store.
   * @default `guardedFetch` of @genmount/guarded-fetch, which connects to public addresses only
   * @example (url, limits) => guardedFetch(url, { ...limits, allowAddress: (address) => address === '192.168.1.20' })
   */
  readonly fetch?: FileFetch | undefined
}

const table = {
  folder: text('the path of a folder', (folder) => folder !== '' && !folder.includes('\0')),
  fetch: optional(checkFileFetch, guardedFetch),
} satisfies OptionTable<DiskFilesOptions>

/**
 * Keeps files in a folder. Several processes may share the folder. A file is either stored as a whole or not
 * at all, and when `put` has resolved the file survives crashes and power failures.
 * @throws TypeError when an option is wrong
 * @example
 * createGenerationService({ providers, files: diskFiles({ folder: '/var/lib/my-app/outputs' }) })
 */
export function diskFiles(options: DiskFilesOptions): FileStore {
  const { folder: folderOption, fetch } = checkOptions('diskFiles', options, table)
  const folder = resolve(folderOption)
  const onDisk = <Result>(work: Promise<Result>) => inFolder(folder, work)
  let sweptAt = -Infinity
  /** The folders that this process has found or made. Somebody may delete them. */
  const present = new Set<string>()

  const pathOf = (key: string) => join(folder, placeOf(key))

  async function prepareFolders(path: string): Promise<void> {
    if (Date.now() - sweptAt < hourMs && present.has(dirname(path))) return
    await createFolder(folder)
    if (dirname(path) !== folder) await createFolder(dirname(path))
    present.add(dirname(path))
    if (Date.now() - sweptAt < hourMs) return
    sweptAt = Date.now()
    await sweepIncoming(folder)
  }

  /** Does work in the folders of a file. If one is missing, makes them and does the work once more. */
  async function withFolders<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      await prepareFolders(path)
      return await work()
    } catch (error) {
      const isMissing = /^(?:ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')
      if (!isMissing) throw error
      present.delete(dirname(path))
      await prepareFolders(path)
      return work()
    }
  }

  async function publish(incoming: string, path: string): Promise<void> {
    await withFolders(path, () => rename(incoming, path))
    await syncFolderTogether(dirname(path))
  }

  async function deleteForGood(path: string): Promise<void> {
    await rm(path, { force: true })
    await syncFolderTogether(dirname(path)).catch(ignoreMissing)
  }

  return {
    fetch,

    ready: () => tryFolder(folder),

    async put(key, body, contentType) {
      const incoming = join(folder, incomingName())
      const path = pathOf(key)
      try {
        const descriptor = await onDisk(withFolders(path, () => open(incoming, 'wx', 0o600)))
        await writeStored(descriptor, { key, body, contentType }, onDisk)
        await onDisk(publish(incoming, path))
      } catch (error) {
        await rm(incoming, { force: true }).catch(() => {})
        if (!(body instanceof Uint8Array)) await body.cancel(error).catch(() => {})
        throw error
      }
    },

    async open(key) {
      const path = pathOf(key)
      const stored = await onDisk(openStored(path))
      if (!stored) return undefined
      const { handle, record } = stored
      await handle.close()
      const { size, contentType, sha256 } = record
      const read = (range: ByteRange = { start: 0, end: size - 1 }) =>
        pulledStream(storedContent(path, record, range))
      return { size, contentType, sha256, read }
    },

    async delete(key) {
      await onDisk(deleteForGood(pathOf(key)))
    },

    async *list(prefix) {
      const word = prefix.slice(0, prefix.indexOf('/'))
      for (const name of await onDisk(namesIn(join(folder, word)))) {
        const key = `${word}/${name}`
        if (key.startsWith(prefix) && placeOf(key) === key) yield key
      }
    },
  }
}

/** The names in a folder; none if the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? []
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
