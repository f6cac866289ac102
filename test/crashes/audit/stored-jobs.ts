import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Job } from '@genmount/core'

/**
 * All jobs in the database, as any SQLite client can read them; one that waits while a new process sorts out what a
 * killed one has left.
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
