/**
 * What a job's life costs Postgres and a node: a create, a submit that the provider takes on, one poll, and the end, at a
 * steady rate: `node --conditions=@genmount/source test/bench/postgres/life-cost.ts [jobs a second] [seconds] [nodes]`. The
 * nodes share the jobs and this process, so that what a life costs with several of them shows what they cost one another.
 */
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { logRecordsOf } from '../../postgres/log-records.ts'
import { startPostgres } from '../../postgres/start-postgres.ts'
import { statementsOver } from '../../postgres/statements-over.ts'
import { benchProviders, benchService } from '../bench-service.ts'
import { familyCpuMs, parentOf } from '../process-cpu.ts'
import { steadyCreates } from '../steady-creates.ts'
import { exampleInput, owner } from '../workload.ts'

const perSecond = Number(process.argv[2] ?? 100)
const seconds = Number(process.argv[3] ?? 10)
const count = Number(process.argv[4] ?? 1)
const warmSeconds = 3
const pollAfterMs = 1050

const server = await startPostgres(['max_wal_size=4GB', 'shared_buffers=512MB'])
const side = new pg.Pool({ connectionString: server.url('postgres'), max: 1 })
side.on('error', () => {})
let ended = 0
const { providers } = benchProviders({ pollAfterMs, maxConcurrentJobs: 10_000, dedupesSubmits: true })
let createMs: readonly number[] = []
/** Claims and other writes that came too late, and jobs that sweeps have listed. */
const tally = { stale: 0, due: 0 }

async function startNode() {
  const pool = new pg.Pool({ connectionString: server.url('postgres'), max: 10 })
  pool.on('error', () => {})
  const sent = statementsOver(pool, 'genmount')
  const backend = postgresBackend({ pool })
  const replace: typeof backend.jobs.replace = async (...args) => {
    const outcome = await backend.jobs.replace(...args)
    if (outcome === 'stale') tally.stale++
    return outcome
  }
  const due: typeof backend.jobs.due = async (...args) => {
    const ids = await backend.jobs.due(...args)
    tally.due += ids.length
    return ids
  }
  const jobs = { ...backend.jobs, replace, due }
  const service = benchService({ providers, backend: { ...backend, jobs }, onJobEnd: () => void ended++ })
  await service.ready()
  service.start()
  return { pool, sent, service }
}
const nodes = await Promise.all(Array.from({ length: count }, startNode))

let created = 0
const createFor = async (ms: number) => {
  const input = () => exampleInput(created)
  const next = () => nodes[created++ % count]!.service
  createMs = await steadyCreates(perSecond, ms, () =>
    next().create({ owner, model: 'bench-video', input: input() }),
  )
}

async function reading() {
  const { rows } = await side.query(`
    SELECT pg_current_wal_insert_lsn() - '0/0' AS wal,
      pg_backend_pid() AS backend, n_tup_upd AS updates, n_tup_hot_upd AS hot
    FROM pg_stat_user_tables WHERE relid = 'genmount.jobs'::regclass`)
  const { user, system } = process.cpuUsage()
  const { wal, updates, hot, backend } = rows[0]
  const numbers = { wal: Number(wal), updates: Number(updates), hot: Number(hot) }
  return { ...numbers, server: familyCpuMs(parentOf(Number(backend))), user, system, ended }
}

/** How often connections were seen waiting, by what they waited for. */
const waiting: Record<string, number> = {}
const watching = setInterval(async () => {
  const { rows } = await side.query(`
    SELECT wait_event_type || ' ' || wait_event AS event FROM pg_stat_activity
    WHERE state = 'active' AND wait_event_type IN ('Lock', 'LWLock', 'BufferPin', 'IO')`)
  for (const { event } of rows) waiting[event] = (waiting[event] ?? 0) + 1
}, 50)

await createFor(warmSeconds * 1000)
await sleep(0)
await side.query('SELECT pg_stat_force_next_flush()')
for (const { sent } of nodes) sent.length = 0
Object.assign(tally, { stale: 0, due: 0 })
const before = await reading()
const records = await logRecordsOf(side, 'genmount', () => createFor(seconds * 1000))
const after = await reading()
clearInterval(watching)
const lives = after.ended - before.ended
const sent = nodes.flatMap((node) => node.sent)
const seen = { ...tally }
const waits = Object.entries(waiting).map(([event, times]) => `${event} ${times}`)
const counts = new Map<string, number>()
for (const name of sent) counts.set(name, (counts.get(name) ?? 0) + 1)
const times = createMs.toSorted((a, b) => a - b)
await sleep(3000)
const last = await reading()
const each = (value: number, digits = 2) => (value / lives).toFixed(digits)
console.log(
  `${lives} lives in ${seconds} s on ${count} nodes (${created} created, ${last.ended} ended)
statements a life ${each(sent.length)}: ${[...counts]
    .filter(([, count]) => count > lives / 50)
    .map(([name, count]) => `${name.slice(0, 20)} ${each(count)}`)
    .join(', ')}
writes that came too late ${each(seen.stale, 3)} a life, jobs listed by sweeps ${each(seen.due, 3)}
connections seen waiting: ${waits.join(', ') || 'none'}
log a life ${each(after.wal - before.wal, 0)} B, without images of whole pages ${each(
    records.reduce((sum, { bytes }) => sum + bytes, 0),
    0,
  )} B
${records
  .filter(({ bytes }) => bytes > lives * 10)
  .map(({ kind, count, bytes }) => `  ${kind}: ${each(count)} records, ${each(bytes, 0)} B`)
  .join('\n')}
HOT ${((last.hot / last.updates) * 100).toFixed(1)} % of the updates of jobs
CPU of the node a life: user ${each(after.user - before.user, 0)} us, system ${each(after.system - before.system, 0)} us: ${(
    (1e6 * lives) /
    (after.user - before.user + after.system - before.system)
  ).toFixed(0)} lives a CPU second
CPU of the server a life: ${each((after.server - before.server) * 1000, 0)} us, of both ${(
    (1e6 * lives) /
    (after.user - before.user + after.system - before.system + (after.server - before.server) * 1000)
  ).toFixed(0)} lives a CPU second
create p50 ${times[times.length >> 1]?.toFixed(1)} ms, p99 ${times[Math.floor(times.length * 0.99)]?.toFixed(1)} ms`,
)
for (const { service, pool } of nodes) {
  await service.close()
  await pool.end()
}
await side.end()
await server.stop()
