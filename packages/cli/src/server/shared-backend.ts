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
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
  })
  const end = () => pool.end()
  if (redisUrl === undefined) return { backend: postgresBackend({ pool }), close: end }
  const client = new Redis(redisUrl, { enableOfflineQueue: false })
  client.on('error', ({ message }) => console.error(`Redis: ${message}`))
  const scheduler = bullmqScheduler({ connection: { url: redisUrl } })
  return {
    backend: postgresBackend({ pool, scheduler, signals: redisSignals({ client }) }),
    close() {
      client.disconnect()
      return end()
    },
  }
}
