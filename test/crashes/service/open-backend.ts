import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import type { Backend, Clock } from '@genmount/core'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Places } from './server-settings.ts'

/** The backend of one server process. Its connections end with the process. */
export function openBackend({ database, redis }: Places, clock: Clock): Backend {
  if (!database.startsWith('postgres:')) return sqliteBackend({ file: database, clock })
  const pool = new pg.Pool({ connectionString: database })
  pool.on('error', () => {})
  if (!redis) return postgresBackend({ pool, clock })
  const scheduler = bullmqScheduler({ connection: { url: redis } })
  return postgresBackend({ pool, scheduler, signals: redisSignals({ client: new Redis(redis) }) })
}
