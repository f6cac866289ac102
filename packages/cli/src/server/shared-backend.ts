import type { Backend } from '@genmount/core'
import { loaded } from './loaded.ts'

/** The most connections to Postgres that a node opens. */
const maxConnections = 10

/**
 * Stores jobs in Postgres, which any number of nodes may share. Wakes jobs through Redis if `redisUrl` is given. The
 * operator installs the client packages of Postgres and Redis.
 */
export async function openSharedBackend(
  databaseUrl: string,
  redisUrl: string | undefined,
): Promise<{ readonly backend: Backend; close(): Promise<void> }> {
  const { default: pg } = await loaded('DATABASE_URL', 'pg', import('pg'))
  const { postgresBackend } = await import('@genmount/backend-postgres')
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: 5000,
  })
  const end = () => pool.end()
  if (redisUrl === undefined) return { backend: postgresBackend({ pool }), close: end }
  const [{ Redis }, { bullmqScheduler, redisSignals }] = await Promise.all([
    loaded('REDIS_URL', 'ioredis', import('ioredis')),
    loaded('REDIS_URL', '@genmount/scheduler-bullmq', import('@genmount/scheduler-bullmq')),
  ])
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
