import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

const rounds = 5
/** Servers connect again within this time, in milliseconds, so that most rounds meet connections that are being made. */
const betweenRoundsMs = 30

/** Makes Postgres end all connections to a database, several times. @param url the URL of the database */
export async function endConnections(url: string): Promise<void> {
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
