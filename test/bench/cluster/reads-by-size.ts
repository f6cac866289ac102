import { postgresBackend } from '@genmount/backend-postgres'
import pg from 'pg'
import { ratioOf, spreadOf, type Spread } from '../figures.ts'
import type { RecordedLife } from './recorded-life.ts'

const readIds = 1000
const readsPerRound = 2000
const rounds = 9
const owner = 'alice'

/** What a read of one job by its owner takes, in microseconds, in tables with these numbers of finished jobs. */
export interface ReadsBySize {
  readonly few: Spread
  readonly many: Spread
  /** The time with many jobs divided by that with few, of the same round. */
  readonly ratio: Spread
}

/** Reads jobs through the backend one after the other, from tables that are filled by SQL with rows of a recorded life. */
export async function readsBySize(
  url: string,
  { statements }: RecordedLife,
  sizes: { readonly few: number; readonly many: number },
): Promise<ReadsBySize> {
  const pool = new pg.Pool({ connectionString: url, max: 3 })
  pool.on('error', () => {})
  const [few, many] = await Promise.all([
    filled(pool, 'few', sizes.few, statements.at(-1)!.values),
    filled(pool, 'many', sizes.many, statements.at(-1)!.values),
  ])
  const taken = { few: [] as number[], many: [] as number[] }
  try {
    for (const each of [few, many]) await each.readAll()
    for (let round = 0; round < rounds; round++) {
      taken.few.push(await few.readAll())
      taken.many.push(await many.readAll())
    }
  } finally {
    await few.close()
    await many.close()
    await pool.end()
  }
  return {
    few: spreadOf(taken.few),
    many: spreadOf(taken.many),
    ratio: ratioOf(taken.many, taken.few),
  }
}

async function filled(pool: pg.Pool, schema: string, rows: number, last: readonly unknown[]) {
  const backend = postgresBackend({ pool, schema })
  await backend.ready?.()
  const id = `'gen_' || lpad(to_hex($1::bigint + n), 12, '0') || substr(md5(n::text), 1, 20)`
  const [phase, revision, , , , expiresAt, deleteAt, job] = last.slice(2, 10)
  const now = Date.now()
  await pool.query(
    `INSERT INTO ${schema}.jobs (id, owner, phase, revision, expires_at, delete_at, job)
     SELECT ${id}, $2, $3, $4, $5::bigint + n, $6::bigint + n, $7 FROM generate_series(1, $8::int) AS n`,
    [now - rows, owner, phase, revision, expiresAt, deleteAt, job, rows],
  )
  await pool.query(`VACUUM ANALYZE ${schema}.jobs`)
  const picked = await pool.query(`SELECT ${id} AS id FROM generate_series(1, $2::int, $3::int) AS n`, [
    now - rows,
    rows,
    Math.floor(rows / readIds),
  ])
  const ids = picked.rows.map((row) => String(row.id))
  return {
    async readAll(): Promise<number> {
      const from = performance.now()
      for (let read = 0; read < readsPerRound; read++) {
        const job = await backend.jobs.get(ids[(read * 7) % ids.length]!, owner)
        if (!job) throw new Error('A job is missing.')
      }
      return ((performance.now() - from) / readsPerRound) * 1000
    },
    close: () => backend.close(),
  }
}
