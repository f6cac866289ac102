import { DatabaseSync } from 'node:sqlite'
import type { Job } from '@genmount/core'

/**
 * The least code that stores the rows of the first release as safely as our backend does: its columns and indexes, one
 * prepared statement for each write and each read, and a transaction for each write, in WAL mode with synchronous = FULL.
 * It has no table of tasks and no ledger, does not check for expired keys and uses no event loop, and the text of each row
 * is made before the measurement.
 */
export function rawStore(file: string) {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE jobs (
      id TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL, phase TEXT NOT NULL, revision INTEGER NOT NULL, due_at INTEGER,
      claimed_until INTEGER, expires_at INTEGER NOT NULL, idempotency_key TEXT UNIQUE, job TEXT NOT NULL
    );
    CREATE INDEX jobs_due ON jobs (due_at, claimed_until) WHERE due_at IS NOT NULL;
    CREATE INDEX jobs_expired ON jobs (expires_at) WHERE phase IN ('completed', 'failed');`)
  const insert = database.prepare('INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const update = database.prepare(`
    UPDATE jobs SET phase = ?, revision = ?, due_at = ?, claimed_until = ?, expires_at = ?, job = ?
    WHERE id = ? AND revision = ?`)
  const select = database.prepare('SELECT job FROM jobs WHERE id = ?')

  return {
    /** Prepares the writes and reads of one job. @returns a function that runs them */
    prepare([accepted, ...later]: readonly Job[]): () => void {
      const { id, owner, phase, revision, dueAt, expiresAt, idempotency } = accepted!
      const first = [
        id,
        owner,
        phase,
        revision,
        dueAt!,
        null,
        expiresAt,
        idempotency!.key,
        JSON.stringify(accepted),
      ]
      const writes = later.map((job) => ({
        isClaim: job.claimedUntil !== undefined && job.phase !== 'collecting',
        columns: columnsOf(job),
      }))
      return () => {
        insert.run(...first)
        for (const { isClaim, columns } of writes) {
          if (isClaim) select.get(id)
          update.run(...columns)
        }
      }
    },
    close: () => database.close(),
  }
}

/** The values in the order of the columns of the update. */
function columnsOf(job: Job) {
  const { phase, revision, dueAt = null, claimedUntil = null, expiresAt, id } = job
  return [phase, revision, dueAt, claimedUntil, expiresAt, JSON.stringify(job), id, revision - 1]
}
