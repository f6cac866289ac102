import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Backend, type FileStore, memoryBackend, memoryFileStore } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { s3Files } from '@genmount/files-s3'
import { guardedFetch } from '@genmount/guarded-fetch'
import type { Bucket, Settings } from './settings.ts'

/** Where jobs and files live. */
export interface Storage {
  readonly backend: Backend
  readonly files: FileStore
  /** Absent if links need not outlive the process, or if the bucket signs them. */
  readonly linkSecret?: string
  /** Closes the connections that the backend does not close itself. Call it after the service is closed. */
  close(): Promise<void>
}

/**
 * Opens what the settings name: Postgres or a SQLite file for the jobs, a bucket or a folder for the files. Without
 * such settings, jobs and files are in memory.
 * @throws Error that says what can't be used, and why
 */
export async function openStorage(settings: Settings): Promise<Storage> {
  const { dataDir, bucket } = settings
  const linkSecret = dataDir === undefined ? undefined : await openFolder(dataDir, !bucket)
  const files = bucket
    ? bucketFiles(bucket)
    : dataDir === undefined
      ? memoryFileStore()
      : folderFiles(dataDir)
  return { ...(await openBackend(settings)), files, ...(linkSecret !== undefined && { linkSecret }) }
}

/** Makes the folder. @returns the secret that signs links to files in this folder, if files are stored there */
async function openFolder(folder: string, hasFiles: boolean): Promise<string | undefined> {
  try {
    await diskFiles({ folder }).ready?.()
    return hasFiles ? await keptSecret(join(folder, 'link-secret')) : undefined
  } catch (cause) {
    throw new Error(`DATA_DIR can't be used: ${(cause as Error).message}`, { cause })
  }
}

/** Opens where the jobs live. @throws Error that says what can't be used, and why */
export async function openBackend(settings: Settings): Promise<Pick<Storage, 'backend' | 'close'>> {
  const { databaseUrl, redisUrl, dataDir, maxJobs } = settings
  if (databaseUrl !== undefined) {
    // A server that needs no Postgres starts faster without loading its client.
    const { openSharedBackend } = await import('./shared-backend.ts')
    return await openSharedBackend(databaseUrl, redisUrl)
  }
  const backend =
    dataDir === undefined ? memoryBackend({ maxJobs }) : sqliteBackend({ file: join(dataDir, 'jobs.db') })
  return { backend, close: async () => {} }
}

function folderFiles(folder: string): FileStore {
  return diskFiles({ folder: join(folder, 'outputs') })
}

function bucketFiles({ name, endpoint, region, accessKeyId, secretAccessKey }: Bucket): FileStore {
  const credentials = { accessKeyId, secretAccessKey }
  return s3Files({ bucket: name, endpoint, region, credentials, fetch: guardedFetch })
}

/**
 * The secret in the file. The first process creates the file. Other processes that use this folder sign with the same
 * secret.
 */
async function keptSecret(path: string): Promise<string> {
  const ownPath = `${path}.${randomUUID()}`
  try {
    await writeFile(ownPath, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true })
    // Unlike `rename`, `link` does not replace a file that another process has created meanwhile.
    await link(ownPath, path).catch(ignoreExisting)
  } finally {
    await rm(ownPath, { force: true })
  }
  const secret = await readFile(path, 'utf8')
  if (secret.length >= 32) return secret
  throw new Error(`${path} is too short for a secret; delete it, and a new one is made.`)
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
