import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Job } from '@genmount/core'

/**
 * Reads all jobs in the database with a plain SQLite client. It waits while a new process recovers the file
 * after a process was killed.
 */
export function storedJobs(file: string): readonly Job[] {
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file, { readOnly: true, timeout: 2000 })
  try {
    return database
      .prepare('SELECT job FROM jobs')
      .all()
      .map(({ job }) => JSON.parse(String(job)) as Job)
  } finally {
    database.close()
  }
}
