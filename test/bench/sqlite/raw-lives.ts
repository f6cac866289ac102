import { DatabaseSync } from 'node:sqlite'
import type { Job } from '@genmount/core'

/** The life of a job with one poll as the first release of genmount wrote it, which raw statements store. */
export const sixWriteLife = { writes: 6, reads: 2 } as const

/** The writes before which the service read the row: those that claimed a step. */
const claims = [2, 4]

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

  /** Prepares the writes and reads of a job, whose text is as long in each. @returns a function that runs them */
  return function prepare(job: Job): () => void {
    const { id, owner, createdAt, expiresAt } = job
    const text = JSON.stringify(job)
    const later = Array.from({ length: sixWriteLife.writes - 1 }, (_, index) => index + 2)
    const key = crypto.randomUUID()
    return () => {
      insert.run(id, owner, 'accepted', 1, createdAt, null, expiresAt, key, text)
      for (const revision of later) {
        const isClaim = claims.includes(revision)
        if (isClaim) select.get(id)
        const isLast = revision === sixWriteLife.writes
        const [phase, dueAt] = isLast ? ['completed', null] : ['running', createdAt + revision]
        const claimedUntil = isClaim ? createdAt + 30_000 : null
        update.run(phase, revision, dueAt, claimedUntil, expiresAt, text, id, revision - 1)
      }
    }
  }
}
