import type pg from 'pg'

/** What one kind of record takes in the log of Postgres. */
export interface LogRecords {
  /** The kind of record and the table or index that it changes, such as `Heap/HOT_UPDATE jobs`. */
  readonly kind: string
  readonly count: number
  /** Bytes without images of whole pages, which Postgres writes at the first change of a page after a checkpoint. */
  readonly bytes: number
}

/**
 * The records that are written to the log of the server for tables and indexes of a schema while `work` runs, and by
 * transactions that write to them. The largest kinds come first.
 */
export async function logRecordsOf(
  pool: pg.Pool,
  schema: string,
  work: () => Promise<void>,
): Promise<LogRecords[]> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect')
  const client = await pool.connect()
  try {
    // A checkpoint, which any test on this server causes, deletes the log that no slot needs. A temporary slot goes with its connection.
    await client.query(
      `SELECT pg_create_physical_replication_slot('log_of_' || pg_backend_pid(), true, true)`,
    )
    const from = await logEnd(client)
    await work()
    const to = await logEnd(client)
    // Records up to here are on disk before they are read.
    await client.query(`SELECT pg_logical_emit_message(false, 'genmount', '', true)`)
    return (await client.query(records, [from, to, schema])).rows
  } finally {
    client.release(true)
  }
}

async function logEnd(client: pg.PoolClient): Promise<string> {
  // The statement after a commit that nobody has waited for could come before that commit in the log.
  const { rows } = await client.query('SELECT pg_current_wal_insert_lsn() AS lsn')
  return String(rows[0].lsn)
}

const records = `WITH records AS MATERIALIZED (
    SELECT *, (SELECT relname FROM pg_class
      WHERE relnamespace = $3::regnamespace AND relfilenode = (regexp_match(block_ref, 'rel \\d+/\\d+/(\\d+)'))[1]::oid
    ) AS relation
    FROM pg_get_wal_records_info($1, $2)
  )
  SELECT resource_manager || '/' || record_type || coalesce(' ' || relation, '') AS kind, count(*)::int AS count,
    sum(record_length - fpi_length)::float8 AS bytes
  FROM records
  WHERE relation IS NOT NULL OR xid::text IN (SELECT xid::text FROM records WHERE relation IS NOT NULL AND xid <> '0')
  GROUP BY 1 ORDER BY 3 DESC`
