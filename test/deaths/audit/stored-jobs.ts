import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { postgresBackend } from '@genmount/backend-postgres'
import { fromStoredJob, type Job, type StoredJob, toStoredJob } from '@genmount/core'
import pg from 'pg'

/**
 * Reads all jobs of a campaign, past the servers, but not the idempotency keys that outlive deleted jobs by a day.
 * @param database the file, or the URL of a Postgres database */
export async function storedJobs(database: string): Promise<readonly Job[]> {
  if (!database.startsWith('postgres:')) return jobsInFile(database)
  const pool = new pg.Pool({ connectionString: database })
  const backend = postgresBackend({ pool, migrate: false })
  try {
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM genmount.jobs')
    const jobs = await Promise.all(rows.map(({ id }) => backend.jobs.get(id)))
    return jobs.filter((job) => job !== undefined).filter(hasContent)
  } finally {
    await backend.close()
    await pool.end()
  }
}

export function jobsInFile(file: string): readonly Job[] {
  const hasJobs = "SELECT 1 FROM sqlite_schema WHERE name = 'jobs'"
  if (!existsSync(file) || rowsInFile(file, hasJobs).length === 0) return []
  return rowsInFile(file, 'SELECT job FROM jobs')
    .map(({ job }) => fromStoredJob(JSON.parse(String(job)) as StoredJob))
    .filter(hasContent)
}

/** The JSON of a job as it stands in the file. */
export function textInFile(job: Job): string {
  return JSON.stringify(toStoredJob(job))
}

/** Whether a row is more than the key of a deleted job: of those, nothing may be left that its owner has sent or got. */
function hasContent({ deletedAt, input, handle, metadata, webhook, outputs, shownInput }: Job): boolean {
  const content = [input, handle, metadata, webhook].some((part) => part !== undefined)
  return deletedAt === undefined || content || outputs.length > 0 || Object.keys(shownInput).length > 0
}

/** All columns of a job's row, as they are in the file. */
export function rowInFile(file: string, id: string): string {
  return JSON.stringify(rowsInFile(file, 'SELECT * FROM jobs WHERE id = ?', id))
}

/** How many uploads count in what their owners may store. @param database the file, or the URL of a Postgres database */
export async function countedUploads(database: string): Promise<number> {
  const countOf = (table: string) => `SELECT count(*) AS count FROM ${table}`
  if (!database.startsWith('postgres:')) return Number(rowsInFile(database, countOf('uploads'))[0]?.['count'])
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query(countOf('genmount.uploads'))
  await client.end()
  return Number(rows[0].count)
}

/** Waits while a new process recovers the file after a process was killed. */
function rowsInFile(file: string, sql: string, ...values: string[]): Record<string, SQLOutputValue>[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
  }
}
