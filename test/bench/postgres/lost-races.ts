/**
 * How many claims three nodes lose to one another while they take up 5,000 jobs that are due at once and belong to none
 * of them: `node --conditions=@genmount/source test/bench/postgres/lost-races.ts`
 */
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { exampleJob, fakeProvider, quietLog } from '@genmount/testing'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { until } from '../../until.ts'
import { benchService } from '../bench-service.ts'

const count = 5000
const server = await startPostgres()
const provider = fakeProvider()
const tally = { written: 0, lost: 0 }

function node() {
  const pool = new pg.Pool({ connectionString: server.url('postgres'), max: 10 })
  pool.on('error', () => {})
  const backend = postgresBackend({ pool })
  const replace: typeof backend.jobs.replace = async (job, revision) => {
    const outcome = await backend.jobs.replace(job, revision)
    if (outcome === 'replaced') tally.written++
    else tally.lost++
    return outcome
  }
  const jobs = { ...backend.jobs, replace }
  const service = benchService({ providers: [provider], backend: { ...backend, jobs }, log: quietLog() })
  return { pool, backend, service }
}

const nodes = [node(), node(), node()]
const jobs = nodes[0]!.backend.jobs
const now = Date.now()
for (let from = 0; from < count; from += 100) {
  const ids = Array.from({ length: 100 }, (_, index) => `job-${from + index}`)
  await Promise.all(ids.map((id) => jobs.insert(exampleJob({ id, createdAt: now }))))
}
for (const { service } of nodes) service.start()
const seconds = (await until(() => provider.ledger.length >= count, 120_000)) / 1000
console.log(
  `${provider.ledger.length} jobs in ${seconds.toFixed(1)} s: ${tally.written} writes, ${tally.lost} lost (${Math.round((tally.lost / (tally.written + tally.lost)) * 100)} %)`,
)
for (const { service, pool } of nodes) {
  await service.close()
  await pool.end()
}
await server.stop()
