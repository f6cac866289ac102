import type { DatabaseSync } from 'node:sqlite'
import { migrations } from './migrations.ts'
import { patiently } from './patiently.ts'

/**
 * Opens the file, makes it when it is not there, and brings its schema up to date.
 * @throws Error that names the file and says why it can't be used
 */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await importSqlite()
  try {
    return await patiently(() => {
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
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The job database ${file} can't be used: ${reason}.`, { cause })
  }
}

/** Imported at first use, so that a runtime without it can say so instead of failing to load the app. */
async function importSqlite(): Promise<typeof import('node:sqlite')> {
  try {
    return await import('node:sqlite')
  } catch (cause) {
    const message =
      'sqliteBackend needs node:sqlite, which this runtime does not have: use Node 22.13, Deno 2.9, Bun 1.4 or newer.'
    throw new Error(message, { cause })
  }
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
  database.exec('PRAGMA synchronous = FULL')
}
