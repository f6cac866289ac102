import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Backend, type FileStore, memoryBackend, memoryFileStore } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import type { Settings } from './settings.ts'

/** Where jobs and files live. */
export interface Storage {
  readonly backend: Backend
  readonly files: FileStore
  /** Absent where links need not outlive the process. */
  readonly linkSecret?: string
}

/**
 * Opens the folder that `DATA_DIR` names, and makes it if need be; without one all is kept in memory.
 * @throws Error that says why the folder can't be used
 */
export async function openStorage({ dataDir, maxJobs }: Settings): Promise<Storage> {
  if (dataDir === undefined) return { backend: memoryBackend({ maxJobs }), files: memoryFileStore() }
  try {
    return await openFolder(dataDir)
  } catch (cause) {
    throw new Error(`DATA_DIR can't be used: ${(cause as Error).message}`, { cause })
  }
}

async function openFolder(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    backend: sqliteBackend({ file: join(folder, 'jobs.db') }),
    files: diskFiles({ folder: join(folder, 'outputs') }),
    linkSecret: await keptSecret(join(folder, 'link-secret')),
  }
}

/** The secret in the file, which is made by whoever comes first. Other processes of this folder sign with it too. */
async function keptSecret(path: string): Promise<string> {
  const ownPath = `${path}.${randomUUID()}`
  try {
    await writeFile(ownPath, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true })
    // Unlike a rename, a link does not replace what another process has made meanwhile.
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
