import { postgresBackend } from '@genmount/backend-postgres'
import type pg from 'pg'
import { full } from '../bench.ts'
import { inRounds } from '../figures.ts'
import { owner } from '../workload.ts'
import { idOfNumber } from './kept-lives.ts'
import type { RecordedLife } from './recorded-life.ts'

const readIds = 1000
const readsPerRound = full(2000)
const rounds = full(9)

/**
 * Reads jobs through the backend one after the other, from tables of several sizes, which are filled by SQL with rows of a
 * recorded life.
 * @returns what a read of one job by its owner takes in each, in microseconds, by rounds
 */
export async function readsBySize(pool: pg.Pool, { statements }: RecordedLife, sizes: readonly number[]) {
  const tables: Awaited<ReturnType<typeof filled>>[] = []
  for (const size of sizes) tables.push(await filled(pool, size, statements.at(-1)!.values))
  // The first reads do not count.
  for (const table of tables) await table.readAll()
  const times = await inRounds(rounds, tables, (table) => table.readAll())
  for (const { backend } of tables) await backend.close()
  return times
}

/** @returns a function that reads many jobs, and says how many microseconds each has taken, and its backend */
async function filled(pool: pg.Pool, rows: number, last: readonly unknown[]) {
  const schema = `of_${rows}`
  const backend = postgresBackend({ pool, schema })
  await backend.ready?.()
  const [phase, revision, , , , expiresAt, deleteAt, job] = last.slice(2, 10)
  const start = Date.now() - rows
  await pool.query(
    `INSERT INTO ${schema}.jobs (id, owner, phase, revision, expires_at, delete_at, job)
     SELECT ${idOfNumber}, $2, $3, $4, $5::bigint + n, $6::bigint + n, $7 FROM generate_series(1, $8::int) AS n`,
    [start, owner, phase, revision, expiresAt, deleteAt, job, rows],
  )
  await pool.query(`VACUUM ANALYZE ${schema}.jobs`)
  const chosen = await pool.query<{ id: string }>(
    `SELECT ${idOfNumber} AS id FROM generate_series(1, $2::int, $3::int) AS n`,
    [start, rows, Math.floor(rows / readIds)],
  )
  const ids = chosen.rows.map(({ id }) => id)
  const readAll = async () => {
    const from = performance.now()
    for (let read = 0; read < readsPerRound; read++)
      if (!(await backend.jobs.get(ids[(read * 7) % ids.length]!, owner)))
        throw new Error('A job is missing.')
    return ((performance.now() - from) / readsPerRound) * 1000
  }
  return { backend, readAll }
}
