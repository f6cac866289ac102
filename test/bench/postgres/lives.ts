import pg from 'pg'
import { launchRedis } from '../../scheduler-bullmq/launch-redis.ts'
import { startPostgres, type StartedPostgres } from '../../postgres/start-postgres.ts'
import { full } from '../bench.ts'
import { installPeers } from '../installed-peers.ts'
import { startMeasured } from '../measured-process.ts'
import { familyCpuMs, parentOf } from '../process-cpu.ts'
import type { QueueCalls } from './queue-process.ts'

/** How many jobs are created in a second. */
export const perSecond = 100
/** More than a life takes, so that as many jobs end as are created. */
const warmMs = full(4000, 2)
const measuredMs = full(10_000)

/** What the lives of jobs cost, each. */
export interface LifeCost {
  /** Statements of Postgres, or commands of Redis. */
  readonly statements: number
  /** What Postgres has logged, without images of whole pages, in bytes. Absent for Redis, which logs nothing here. */
  readonly logBytes?: number
  /** The CPU time of the process, in microseconds. */
  readonly processUs: number
  /** The CPU time of Postgres or Redis, in microseconds. */
  readonly storeUs: number
  readonly createMs: { readonly p50: number; readonly p99: number }
}

/** A server in which a queue keeps its jobs. */
interface QueueStore {
  readonly url: string
  /** All that has been counted so far. */
  count(): Promise<{ readonly statements: number; readonly cpuMs: number; readonly logBytes?: number }>
  stop(): Promise<unknown>
}

/** A database of its own on the server. */
async function databaseStore(server: StartedPostgres, name: string): Promise<QueueStore> {
  const database = name.replaceAll('-', '_')
  const side = new pg.Client(server.url('postgres'))
  await side.connect()
  await side.query(`CREATE DATABASE ${database}`)
  const { rows } = await side.query('SELECT pg_backend_pid() AS pid, pg_current_wal_insert_lsn() AS lsn')
  const { pid, lsn } = rows[0]
  return {
    url: server.url(database),
    async count() {
      const counted = await side.query(
        `SELECT (SELECT sum(calls) FROM pg_stat_statements JOIN pg_database ON dbid = pg_database.oid
            WHERE datname = $1)::float8 AS statements,
          (SELECT sum(record_size) FROM pg_get_wal_stats($2, pg_current_wal_flush_lsn()))::float8 AS bytes`,
        [database, lsn],
      )
      const { statements, bytes } = counted.rows[0]
      return { statements, logBytes: bytes, cpuMs: familyCpuMs(parentOf(pid)) }
    },
    stop: () => side.end(),
  }
}

async function redisStore(): Promise<QueueStore> {
  const { Redis } = await import('ioredis')
  const server = await launchRedis()
  const client = new Redis({ port: server.port })
  const numberIn = (text: string, name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1])
  return {
    url: `redis://127.0.0.1:${server.port}`,
    async count() {
      const info = await client.info('everything')
      const [statements = NaN, ...seconds] = [
        'total_commands_processed',
        'used_cpu_sys',
        'used_cpu_user',
      ].map((name) => numberIn(info, name))
      return { statements, cpuMs: 1000 * (seconds[0]! + seconds[1]!) }
    },
    async stop() {
      client.disconnect()
      await server.stop()
    },
  }
}

/** What lives cost in this queue, in a process of its own. */
async function costIn(name: string, store: QueueStore): Promise<LifeCost> {
  const script = new URL('queue-process.ts', import.meta.url)
  const queue = startMeasured<QueueCalls>(script, { onAllCores: true }, name, store.url)
  try {
    await queue.ask('create', perSecond, warmMs)
    const [before, stored] = [await queue.ask('state'), await store.count()]
    const createMs = await queue.ask('create', perSecond, measuredMs)
    const [after, storedAfter] = [await queue.ask('state'), await store.count()]
    const lives = after.ended - before.ended
    if (lives < (perSecond * measuredMs) / 2000) throw new Error(`${name} has ended only ${lives} jobs.`)
    const logged = storedAfter.logBytes !== undefined && {
      logBytes: (storedAfter.logBytes - stored.logBytes!) / lives,
    }
    return {
      statements: (storedAfter.statements - stored.statements) / lives,
      ...logged,
      processUs: ((after.cpuMs - before.cpuMs) / lives) * 1000,
      storeUs: ((storedAfter.cpuMs - stored.cpuMs) / lives) * 1000,
      createMs,
    }
  } finally {
    await queue.ask('stop')
    await queue.stop()
  }
}

export const queueNames = ['genmount', 'pg-boss', 'graphile-worker', 'bullmq'] as const
export type QueueName = (typeof queueNames)[number]

/** What the life of a job costs in each queue, one after the other. */
export async function lifeCosts(): Promise<ReadonlyMap<QueueName, LifeCost>> {
  await installPeers()
  const server = await startPostgres([
    'shared_preload_libraries=pg_stat_statements',
    'max_wal_size=4GB',
    // The log of the whole run is read.
    'wal_keep_size=4GB',
    'shared_buffers=512MB',
  ])
  const costs = new Map<QueueName, LifeCost>()
  try {
    const setUp = new pg.Client(server.url('postgres'))
    await setUp.connect()
    await setUp.query('CREATE EXTENSION pg_stat_statements; CREATE EXTENSION pg_walinspect')
    await setUp.end()
    for (const name of queueNames) {
      const store = name === 'bullmq' ? await redisStore() : await databaseStore(server, name)
      costs.set(name, await costIn(name, store).finally(store.stop))
    }
  } finally {
    await server.stop()
  }
  return costs
}
