import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { StartedServer } from '../campaign/started-server.ts'
import type { PlannedBlow } from './storm-plan.ts'

/** Where a storm strikes. */
export interface StormSite {
  readonly start: () => StartedServer
  readonly clockSpeed: number
  readonly database: string
}

/**
 * Does a blow to one server. Resolves when it is over. If the server has ended, another one is started in its
 * place.
 */
export async function strike(
  { start, clockSpeed, database }: StormSite,
  servers: StartedServer[],
  { blow, victim }: PlannedBlow,
): Promise<void> {
  const places = servers.map((_, index) => (victim + index) % servers.length)
  const place = places.find((index) => !servers[index]?.isFrozen) ?? victim
  const server = servers[place]
  if (!server) return
  switch (blow.what) {
    case 'kill':
      await server.kill()
      servers[place] = start()
      return
    case 'close':
      // A new server takes its place at once, as in a deployment.
      servers[place] = start()
      await server.close()
      return
    case 'freeze':
      await server.freeze()
      await delay(blow.forMs)
      return server.thaw()
    case 'disconnect':
      return endConnections(database)
    case 'outage': {
      const { store, forMs, afterNextAnswer } = blow
      server.tell({ store, forMs: forMs * clockSpeed, afterNextAnswer })
      await delay(forMs)
    }
  }
}

const rounds = 5
/** Servers connect again within this time, in milliseconds, so that most rounds meet connections that are being made. */
const betweenRoundsMs = 30

/** Makes Postgres end all connections to a database, several times. @param url the URL of the database */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (let round = 0; round < rounds; round++) {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    )
    await delay(betweenRoundsMs)
  }
  await client.end()
}
