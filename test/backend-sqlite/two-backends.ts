import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import type { Job } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { temporaryFile } from './temporary-file.ts'

/** Two backends on one file, as two processes have them. */
export function twoBackends() {
  const file = temporaryFile()
  const backends = [sqliteBackend({ file }), sqliteBackend({ file })] as const
  onTestFinished(async () => {
    for (const { close } of backends) await close()
  })
  const [{ jobs }, { jobs: jobsElsewhere }] = backends
  const read = async (id: string, from = jobs) => (await from.get(id)) as Job
  return {
    file,
    jobs,
    jobsElsewhere,
    /** The longest of the writes that `run` makes, in bytes. */
    async longestWriteOf(run: () => Promise<void>): Promise<number> {
      const database = new DatabaseSync(file, { timeout: 5000 })
      // One of the backends may be making a checkpoint.
      const empty = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)')
      while (empty.get()?.['busy'] !== 0) await pause(10)
      database.close()
      await run()
      return statSync(`${file}-wal`).size
    },
    read,
    async step(id: string, changes: Partial<Job> = {}, at = jobs): Promise<void> {
      const job = await read(id, at)
      const next = { ...job, ...changes, revision: job.revision + 1 }
      expect(await at.replace(next, job.revision)).toBe('replaced')
    },
  }
}
