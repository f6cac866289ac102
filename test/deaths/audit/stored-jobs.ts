import { existsSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { postgresBackend } from '@genmount/backend-postgres'
import type { Job } from '@genmount/core'
import pg from 'pg'

type Row = Record<string, SQLOutputValue>

/** Reads all jobs of a campaign, past the servers. @param database the file, or the URL of a Postgres database */
export async function storedJobs(database: string): Promise<readonly Job[]> {
  return database.startsWith('postgres:') ? inPostgres(database, jobsInPool) : jobsInFile(database)
}

export function jobsInFile(file: string): readonly Job[] {
  const hasJobs = "SELECT 1 FROM sqlite_schema WHERE name = 'jobs'"
  if (!existsSync(file) || rowsInFile(file, hasJobs).length === 0) return []
  return rowsInFile(file, 'SELECT job FROM jobs').map(({ job }) => JSON.parse(String(job)) as Job)
}

/** All columns of a job's row, as they are in the file. */
export function rowInFile(file: string, id: string): string {
  return JSON.stringify(rowsInFile(file, 'SELECT * FROM jobs WHERE id = ?', id))
}

/** How many uploads count in what their owners may store. @param database the file, or the URL of a Postgres database */
export async function countedUploads(database: string): Promise<number> {
  const [row] = database.startsWith('postgres:')
    ? await inPostgres(database, async (pool) => (await pool.query(countOf('genmount.uploads'))).rows)
    : rowsInFile(database, countOf('uploads'))
  return Number(row?.['count'])
}

const countOf = (table: string) => `SELECT count(*) AS count FROM ${table}`

/** Waits while a new process recovers the file after a process was killed. */
function rowsInFile(file: string, sql: string, ...values: string[]): Row[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
  }
}

async function inPostgres<Result>(url: string, read: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString: url })
  try {
    return await read(pool)
  } finally {
    await pool.end()
  }
}

async function jobsInPool(pool: pg.Pool): Promise<readonly Job[]> {
  const backend = postgresBackend({ pool, migrate: false })
  try {
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM genmount.jobs')
    const jobs = await Promise.all(rows.map(({ id }) => backend.jobs.get(id)))
    return jobs.filter((job) => job !== undefined)
  } finally {
    await backend.close()
  }
}
