import { DatabaseSync } from 'node:sqlite'
import { migrateSchema, newestVersion } from '@genmount/backend-sqlite/batches'
import { hranaServer } from '../../backend-libsql/hrana-server.ts'
import { temporaryFile } from '../../backend-sqlite/temporary-file.ts'
import { blowsOf } from './blows.ts'
import { rideStorm, type Survey } from './ride-storm.ts'

const clockSpeed = 10

/**
 * Lets a storm pass over servers that share the jobs in a libSQL database, whose clock they follow.
 * @param onEnd as in `rideStorm`
 */
export async function rideLibsqlStorm(
  seconds: number,
  onEnd: (end: () => Promise<void>) => void,
): Promise<Survey> {
  const file = temporaryFile()
  const database = new DatabaseSync(file, { timeout: 5000 })
  await migrateSchema(async (statements) =>
    statements.map(({ sql, args }) => database.prepare(sql).all(...args)),
  )
  // The auditor reads the same tables as a SQLite file.
  database.exec(`PRAGMA user_version = ${newestVersion}; PRAGMA journal_mode = WAL`)
  let [shown, shownAt] = [Date.now(), Date.now()]
  const show = (now: number) => void ([shown, shownAt] = [now, Date.now()])
  database.function(
    'unixepoch',
    { varargs: true },
    () => (shown + clockSpeed * (Date.now() - shownAt)) / 1000,
  )
  const { origin, stop } = await hranaServer(() => database)
  const survey = await rideStorm(
    {
      blows: blowsOf.shortOnSqlite,
      seconds,
      clockSpeed,
      shared: { database: file, libsql: `${origin}/jobs/` },
      databaseClock: { show },
    },
    onEnd,
  )
  onEnd(async () => {
    await stop()
    database.close()
  })
  return survey
}
