import { checkpointThread } from './checkpoint-thread.ts'
import { groupCommit } from './group-commit.ts'
import { jobStatements, type StatementRunner } from './job-statements.ts'
import { openDatabase } from './open-database.ts'
import { type OpenedFiles, openedFiles } from './opened-files.ts'
import { patiently } from './patiently.ts'
import { unusableDatabase } from './unusable-database.ts'
import { writeAheadLog } from './write-ahead-log.ts'

/** An open database. */
export interface Connection extends StatementRunner {
  readonly files: OpenedFiles
  /** Closes the database. Call it only when no other call is running. */
  close(): Promise<void>
}

export async function openConnection(file: string): Promise<Connection> {
  const database = await openDatabase(file)
  try {
    const files = openedFiles(file)
    const thread = checkpointThread(file, files.identities)
    const log = writeAheadLog(database, file, thread)
    const statements = jobStatements(database)

    async function untilOnDisk(): Promise<void> {
      await log.untilOnDisk()
      const change = files.change()
      if (change !== undefined) throw unusableDatabase(file, change.what)
    }
    const { write } = groupCommit(database, log.writable, untilOnDisk)

    return {
      files,
      glance: (ask) => patiently(() => ask(statements)),
      async read(ask) {
        const rows = await patiently(() => ask(statements))
        await untilOnDisk()
        return rows
      },
      write: (change) => write(() => change(statements)),
      async close() {
        await log.close()
        database.close()
        // The connection that is closed last moves the log into the database.
        await thread.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}
