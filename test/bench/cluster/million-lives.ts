/**
 * How large the tables of Postgres are after a million lives of jobs, of which 100,000 are kept at a time, beside their
 * size after VACUUM FULL. Run it with other counts of lives and kept jobs:
 * `node --conditions=@genmount/source test/bench/cluster/million-lives.ts 50000 10000`
 */
import { loadavg } from 'node:os'
import pg from 'pg'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { keptLives } from './kept-lives.ts'
import type { RecordedLife } from './recorded-life.ts'
import { startCluster } from './started-cluster.ts'

const [lives = 1_000_000, kept = 100_000] = process.argv.slice(2).map(Number)
const server = await startPostgres(['max_wal_size=4GB', 'autovacuum_naptime=5s', 'shared_buffers=512MB'])
try {
  const cluster = await startCluster(server, 1)
  const life = await cluster.nodes[0]!.ask<RecordedLife>({ do: 'record', model: 'bench-video' })
  await cluster.stop()
  const pool = new pg.Pool({ connectionString: cluster.url, max: 1 })
  const leavings = await keptLives(pool, life, { lives, kept })
  await pool.end()
  const { table, indexes, compact } = leavings
  console.log({ lives, ...leavings, timesCompact: (table + indexes) / compact, load: loadavg() })
} finally {
  await server.stop()
}
