import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { postgresBackend } from '@genmount/backend-postgres'
import type { Job } from '@genmount/core'
import pg from 'pg'

/** Reads all jobs of a campaign, past the servers. @param database the file, or the URL of a Postgres database */
export async function storedJobs(database: string): Promise<readonly Job[]> {
  return database.startsWith('postgres:') ? jobsInPostgres(database) : jobsInFile(database)
}

/** Waits while a new process recovers the file after a process was killed. */
export function jobsInFile(file: string): readonly Job[] {
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

async function jobsInPostgres(url: string): Promise<readonly Job[]> {
  const pool = new pg.Pool({ connectionString: url })
  const backend = postgresBackend({ pool, migrate: false })
  try {
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM genmount.jobs')
    const jobs = await Promise.all(rows.map(({ id }) => backend.jobs.get(id)))
    return jobs.filter((job) => job !== undefined)
  } finally {
    await backend.close()
    await pool.end()
  }
}
