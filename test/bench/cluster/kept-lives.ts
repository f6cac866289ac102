import type pg from 'pg'
import type { RecordedLife } from './recorded-life.ts'

/** How many jobs live at the same time. */
const atATime = 500

/** How many lives there are, and how many of the newest jobs are there at a time. The others are deleted in turn. */
export interface LifeCounts {
  readonly lives: number
  readonly kept: number
}

/** What lives of jobs leave in the tables. */
export interface Leavings {
  /** How many jobs there are. */
  readonly jobs: number
  /** Sizes in bytes. `compact` is the size of table and indexes after VACUUM FULL. */
  readonly table: number
  readonly indexes: number
  readonly compact: number
  /** The table of costs with its indexes, in bytes. It has an entry for each life. */
  readonly costs: number
  /** The part of the updates that were HOT. */
  readonly hot: number
  /** Rows that autovacuum has left when it has been through. */
  readonly dead: number
  readonly seconds: number
}

/**
 * Lets the server itself lead lives of jobs: the writes of a recorded life with its rows, on the tables of the backend,
 * for hundreds of jobs that change places between their writes.
 */
export async function keptLives(
  pool: pg.Pool,
  { statements }: RecordedLife,
  { lives, kept }: LifeCounts,
): Promise<Leavings> {
  const client = await pool.connect()
  try {
    const writes = statements.filter(({ name }) => /insert|replace/.test(name))
    // The changing columns are the same parameters in all writes.
    const steps = writes.map(({ values }) => values.slice(2, 10))
    const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0]
    await query('TRUNCATE genmount.jobs, genmount.costs')
    await query(`SELECT pg_stat_reset()`)
    await query('SET synchronous_commit = off')
    const from = performance.now()
    const idOf = `'gen_' || lpad(to_hex($1::bigint + n), 12, '0') || substr(md5(n::text), 1, 20)`
    const start = Date.now()
    for (let first = 0; first < lives; first += atATime) {
      const batch = `generate_series($2::int, $2 + ${atATime} - 1) AS n`
      for (const [index, step] of steps.entries()) {
        const [phase, revision, dueAt, claimedUntil, claimedBy, expiresAt, deleteAt, job] = step
        const instants = [dueAt, claimedUntil, expiresAt, deleteAt].map((at) =>
          at === null ? 'NULL' : `$1::bigint + n + ${Number(at) - start}`,
        )
        const [due, claimed, expires, toDelete] = instants
        const sql =
          index === 0
            ? `INSERT INTO genmount.jobs (id, owner, phase, revision, due_at, claimed_until, claimed_by, expires_at, delete_at, job)
               SELECT ${idOf}, 'alice', $3, $4, ${due}, ${claimed}, $5, ${expires}, ${toDelete}, $6 FROM ${batch}`
            : `UPDATE genmount.jobs SET phase = $3, revision = $4, due_at = ${due}, claimed_until = ${claimed}, claimed_by = $5,
                 expires_at = ${expires}, delete_at = ${toDelete}, job = $6 FROM ${batch} WHERE id = ${idOf}`
        await query(sql, [start, first, phase, revision, claimedBy, job])
      }
      await query(
        `INSERT INTO genmount.costs (job_id, owner, model, provider, outcome, cost_usd, created_at, ended_at)
         SELECT ${idOf}, 'alice', 'polled', 'bench', 'completed', 0.35, $1::bigint + n, $1::bigint + n
         FROM generate_series($2::int, $2 + ${atATime} - 1) AS n`,
        [start, first],
      )
      if (first >= kept)
        await query(
          `DELETE FROM genmount.jobs WHERE id IN (
             SELECT ${idOf} FROM generate_series($2::int, $2 + ${atATime} - 1) AS n)`,
          [start, first - kept],
        )
    }
    const seconds = (performance.now() - from) / 1000
    const dead = await deadRows(query)
    const sizes =
      await query(`SELECT pg_table_size('genmount.jobs') AS "table", pg_indexes_size('genmount.jobs') AS indexes,
      pg_total_relation_size('genmount.costs') AS costs,
      (SELECT n_tup_hot_upd::float8 / n_tup_upd FROM pg_stat_user_tables WHERE relid = 'genmount.jobs'::regclass) AS hot`)
    await query('VACUUM FULL genmount.jobs')
    const after = await query(`SELECT pg_total_relation_size('genmount.jobs') AS compact`)
    const { table, indexes, costs, hot } = sizes
    const bytes = { table: Number(table), indexes: Number(indexes), costs: Number(costs) }
    return {
      jobs: Math.min(lives, kept),
      ...bytes,
      compact: Number(after.compact),
      hot: Number(hot),
      dead,
      seconds,
    }
  } finally {
    client.release(true)
  }
}

/** The dead rows that are left when autovacuum has done nothing more for a while. */
async function deadRows(query: (text: string) => Promise<{ dead: string; runs: string }>): Promise<number> {
  let last = ''
  for (let calm = 0; calm < 3;) {
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const { dead, runs } =
      await query(`SELECT n_dead_tup AS dead, autovacuum_count AS runs FROM pg_stat_user_tables
      WHERE relid = 'genmount.jobs'::regclass`)
    calm = last === `${dead} ${runs}` ? calm + 1 : 0
    last = `${dead} ${runs}`
  }
  return Number(last.split(' ')[0])
}
