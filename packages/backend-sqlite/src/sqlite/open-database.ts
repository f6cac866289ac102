import type { DatabaseSync } from 'node:sqlite'
import { migrations, missingMigrations } from './migrations.ts'
import { importSqlite } from './node-sqlite.ts'
import { patiently } from './patiently.ts'
import { makePrivateFile } from './private-file.ts'

/**
 * How long opening waits for the lock, in milliseconds. When many processes start together on a slow machine, each one
 * waits until those before it have created or migrated the tables.
 */
const openingPatienceMs = 5000

/**
 * Opens the file and brings its schema up to date. A file that does not exist is created with access for this
 * user only. SQLite gives the write-ahead log and its index the access rights of the file.
 * @throws Error that says why the file can't be used
 */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await importSqlite()
  return patiently(() => {
    makePrivateFile(file)
    const database = new DatabaseSync(file)
    try {
      migrate(database)
      configure(database)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  }, openingPatienceMs)
}

/** Writes the version even if nothing has changed, so that opening a read-only file fails at once. */
function migrate(database: DatabaseSync): void {
  database.prepare('BEGIN IMMEDIATE').run()
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  for (const migration of missingMigrations(version)) database.exec(migration)
  database.exec(`PRAGMA user_version = ${migrations.length}`)
  database.prepare('COMMIT').run()
}

function configure(database: DatabaseSync): void {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal')
    throw new Error(
      'its file system can not share a write-ahead log between processes; give a path on a disk of this machine',
    )
  // NORMAL does not sync after each commit. write-ahead-log.ts does that, outside of the write lock.
  // Its checkpoints are made in a thread: checkpoint-thread.ts.
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0')
  // This read makes SQLite create the log file if nothing has been written since the change to WAL mode.
  database.prepare('SELECT count(*) FROM sqlite_schema').get()
}
