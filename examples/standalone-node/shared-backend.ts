import { postgresBackend } from '@genmount/backend-postgres'
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'
import type { Storage } from './storage.ts'

/** How many connections to Postgres a node holds at most. */
const maxConnections = 10

/** Jobs in Postgres, which any number of nodes share; woken through Redis if `redisUrl` is given. */
export function openSharedBackend(
  databaseUrl: string,
  redisUrl: string | undefined,
): Pick<Storage, 'backend' | 'close'> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: maxConnections })
  const redis = redisUrl === undefined ? undefined : new Redis(redisUrl, { enableOfflineQueue: false })
  redis?.on('error', ({ message }) => console.error(`Redis: ${message}`))
  const wakeUps = redis && {
    scheduler: bullmqScheduler({ connection: redis }),
    signals: redisSignals({ client: redis }),
  }
  return {
    backend: postgresBackend({ pool, ...wakeUps }),
    async close() {
      await pool.end()
      redis?.disconnect()
    },
  }
}
