import type pg from 'pg'

/** What one kind of record takes in the log of Postgres. */
export interface LogRecords {
  /** The kind of record and the table or index that it changes, such as `Heap/HOT_UPDATE jobs`. */
  readonly kind: string
  readonly count: number
  /** Bytes without images of whole pages, which Postgres writes at the first change of a page after a checkpoint. */
  readonly bytes: number
}

/** Where the log of the server ends now. */
export async function logEnd(pool: pg.Pool): Promise<string> {
  // The statement after a commit that nobody has waited for could come before that commit in the log.
  const { rows } = await pool.query('SELECT pg_current_wal_insert_lsn() AS lsn')
  return String(rows[0].lsn)
}

/**
 * What has been written to the log between two ends for tables and indexes of a schema, and by transactions that have written
 * to them. The largest kinds come first.
 */
export async function logRecords(
  pool: pg.Pool,
  schema: string,
  from: string,
  to: string,
): Promise<LogRecords[]> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect')
  // Records up to here are on disk before they are read.
  await pool.query('CHECKPOINT')
  const { rows } = await pool.query(
    `WITH records AS MATERIALIZED (
      SELECT *, (SELECT relname FROM pg_class
        WHERE relnamespace = $3::regnamespace AND relfilenode = (regexp_match(block_ref, 'rel \\d+/\\d+/(\\d+)'))[1]::oid
      ) AS relation
      FROM pg_get_wal_records_info($1, $2)
    )
    SELECT resource_manager || '/' || record_type || coalesce(' ' || relation, '') AS kind, count(*)::int AS count,
      sum(record_length - fpi_length)::float8 AS bytes
    FROM records
    WHERE relation IS NOT NULL OR xid::text IN (SELECT xid::text FROM records WHERE relation IS NOT NULL AND xid <> '0')
    GROUP BY 1 ORDER BY 3 DESC`,
    [from, to, schema],
  )
  return rows
}
