import type { Storage } from './storage.ts'
import { loaded } from './loaded.ts'

/** How many connections to Postgres a node holds at most. */
const maxConnections = 10

/**
 * Jobs in Postgres, which any number of nodes share; woken through Redis if `redisUrl` is given. The clients of both are
 * installed by who uses them.
 */
export async function openSharedBackend(
  databaseUrl: string,
  redisUrl: string | undefined,
): Promise<Pick<Storage, 'backend' | 'close'>> {
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
