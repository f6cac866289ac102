import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { postgresBackend, type PostgresBackendOptions } from '@genmount/backend-postgres'
import { newSchema, poolOf } from '../postgres/temporary-database.ts'

/**
 * The backend of another node, which has its own pool of connections.
 * @param onFinished that of the context, in `test.concurrent`
 */
export function nodeOn(
  url: string,
  schema = newSchema(),
  options: Partial<PostgresBackendOptions> & { readonly max?: number } = {},
  onFinished = onTestFinished,
) {
  const { max = 5, ...rest } = options
  const pool = poolOf(url, { max }, onFinished)
  const backend = postgresBackend({ pool, schema, ...rest })
  onFinished(() => backend.close())
  return { pool, schema, backend, ...backend, processes: backend.processes! }
}

/** Ends the connections of everybody else to this database. */
export async function terminateOthers(pool: pg.Pool): Promise<void> {
  await pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
}

/** How many connections listen for notifications or hold a lock of a node on the schema. */
export async function locksOf(pool: pg.Pool, schema: string): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = $1::regnamespace::oid`,
    [schema],
  )
  return Number(rows[0].count)
}
