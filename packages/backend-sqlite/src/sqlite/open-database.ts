import type { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations.ts'
import { importSqlite } from './node-sqlite.ts'
import { patiently } from './patiently.ts'
import { makePrivateFile } from './private-file.ts'

/**
 * Opens the file, makes it when it is not there, for this user alone, and brings its schema up to date. SQLite gives the
 * write-ahead log and its index the rights of the file.
 * @throws Error that says why it can't be used
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
  })
}

/** Writes even where there is nothing to do, so that a file that may only be read is told at once. */
function migrate(database: DatabaseSync): void {
  database.prepare('BEGIN IMMEDIATE').run()
  const version = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (version > migrations.length)
    throw new Error(`its schema has version ${version}, and this release knows ${migrations.length}`)
  for (const migration of migrations.slice(version)) database.exec(migration)
  database.exec(`PRAGMA user_version = ${migrations.length}`)
  database.prepare('COMMIT').run()
}

function configure(database: DatabaseSync): void {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal') throw new Error('its file system can not share a write-ahead log between processes')
  // Whoever writes waits for the disk elsewhere: write-ahead-log.ts.
  database.exec('PRAGMA synchronous = NORMAL')
  // Makes the log, should nothing have been written since it became one.
  database.prepare('SELECT count(*) FROM sqlite_schema').get()
}
