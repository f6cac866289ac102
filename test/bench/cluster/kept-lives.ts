import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { dueSlackMs } from '../../../packages/backend-postgres/src/postgres/due-slack.ts'
import type { RecordedLife } from './recorded-life.ts'

/** How many jobs live at the same time. */
const atATime = 500

/** What lives of jobs leave in the tables. */
export type Leavings = Awaited<ReturnType<typeof keptLives>>

/** An id for each number `n`. Needs the instant of the first one as `$1`. */
export const idOfNumber = `'gen_' || lpad(to_hex($1::bigint + n), 12, '0') || substr(md5(n::text), 1, 20)`

/**
 * Lets the server itself lead lives of jobs: the writes of a recorded life with its rows, on the tables of the backend,
 * for hundreds of jobs that change places between their writes.
 */
export async function keptLives(pool: pg.Pool, life: RecordedLife, jobs: number) {
  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows[0]
  await query('SELECT pg_stat_reset()')
  const start = Date.now()
  for (let first = 0; first < jobs; first += atATime) {
    for (const write of writesOf(life, start)) await query(write.sql, [start, first, ...write.values])
    await query(
      `INSERT INTO genmount.costs (job_id, owner, model, provider, outcome, cost_usd, created_at, ended_at)
       SELECT ${idOfNumber}, 'alice', 'polled', 'bench', 'completed', 0.35, $1::bigint + n, $1::bigint + n FROM ${batch}`,
      [start, first],
    )
  }
  const dead = await deadRows(query)
  const before = await query(`
    SELECT pg_table_size('genmount.jobs') AS rows, pg_indexes_size('genmount.jobs') AS indexes,
      pg_total_relation_size('genmount.costs') AS costs, n_tup_hot_upd::float8 / n_tup_upd AS hot
    FROM pg_stat_user_tables WHERE relid = 'genmount.jobs'::regclass`)
  await query('VACUUM FULL genmount.jobs')
  const { compact } = await query(`SELECT pg_total_relation_size('genmount.jobs') AS compact`)
  return {
    jobs,
    /** The table, its indexes, and the table of costs with its indexes, which has an entry for each life, in bytes. */
    rows: Number(before.rows),
    indexes: Number(before.indexes),
    costs: Number(before.costs),
    /** The size of table and indexes after VACUUM FULL, in bytes. */
    compact: Number(compact),
    /** The part of the updates that were HOT. */
    hot: Number(before.hot),
    /** Rows that autovacuum has left when it has been through. */
    dead,
  }
}

const batch = `generate_series($2::int, $2 + ${atATime} - 1) AS n`

/** The writes of a life as statements about a batch of jobs. */
function writesOf({ statements }: RecordedLife, start: number) {
  return statements
    .filter(({ name }) => /insert|replace/.test(name))
    .map(({ values }, index) => {
      // The changing columns are the same parameters in all writes.
      const [phase, revision, dueAt, claimedUntil, claimedBy, expiresAt, deleteAt, job] = values.slice(2, 10)
      const [due, claimed, expires, toDelete] = [dueAt, claimedUntil, expiresAt, deleteAt].map((at) =>
        at === null ? 'NULL' : `$1::bigint + n + ${Number(at) - start}`,
      )
      const columns = 'phase, revision, due_at, claimed_until, claimed_by, expires_at, delete_at, job'
      // As the statements of the backend do.
      const isNear = `${due} BETWEEN due_at AND due_at + ${dueSlackMs}`
      const kept = index === 0 ? due : `CASE WHEN ${isNear} THEN due_at ELSE ${due} END`
      const row = `$3, $4, ${kept}, ${claimed}, $5, ${expires}, ${toDelete}, $6`
      const sql =
        index === 0
          ? `INSERT INTO genmount.jobs (id, owner, ${columns}) SELECT ${idOfNumber}, 'alice', ${row} FROM ${batch}`
          : `UPDATE genmount.jobs SET (${columns}) = ROW(${row}) FROM ${batch} WHERE id = ${idOfNumber}`
      return { sql, values: [phase, revision, claimedBy, job] }
    })
}

/** The dead rows that are left when autovacuum has done nothing more for a while. */
async function deadRows(query: (text: string) => Promise<{ dead: string; runs: string }>): Promise<number> {
  let last = ''
  for (let calm = 0; calm < 3;) {
    await sleep(3000)
    const { dead, runs } =
      await query(`SELECT n_dead_tup AS dead, autovacuum_count AS runs FROM pg_stat_user_tables
      WHERE relid = 'genmount.jobs'::regclass`)
    calm = last === `${dead} ${runs}` ? calm + 1 : 0
    last = `${dead} ${runs}`
  }
  return Number(last.split(' ')[0])
}
