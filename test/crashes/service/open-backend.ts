import { sqliteBackend } from '@genmount/backend-sqlite'
import type { Backend, Clock } from '@genmount/core'
import type { Places } from './server-settings.ts'

/** The backend of one server process. Its connections end with the process. */
export async function openBackend({ database, redis }: Places, clock: Clock): Promise<Backend> {
  if (!database.startsWith('postgres:')) return sqliteBackend({ file: database, clock })
  // There are hundreds of servers on SQLite. They start faster without the clients of Postgres and Redis.
  const { default: pg } = await import('pg')
  const { postgresBackend } = await import('@genmount/backend-postgres')
  const pool = new pg.Pool({ connectionString: database })
  pool.on('error', () => {})
  if (!redis) return postgresBackend({ pool, clock })
  const { Redis } = await import('ioredis')
  const { bullmqScheduler, redisSignals } = await import('@genmount/scheduler-bullmq')
  const scheduler = bullmqScheduler({ connection: { url: redis } })
  return postgresBackend({ pool, scheduler, signals: redisSignals({ client: new Redis(redis) }) })
}
