/**
 * What leads from each version of the schema to the next, the first from an empty file. Only ever add to the end:
 * files of every version are out there. `job` is the truth; the other columns are what queries need of it.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    phase TEXT NOT NULL,
    revision INTEGER NOT NULL,
    due_at INTEGER,
    claimed_until INTEGER,
    expires_at INTEGER NOT NULL,
    idempotency_key TEXT UNIQUE,
    job TEXT NOT NULL
  );
  CREATE INDEX jobs_due ON jobs (due_at, claimed_until) WHERE phase NOT IN ('completed', 'failed');
  CREATE INDEX jobs_expired ON jobs (expires_at) WHERE phase IN ('completed', 'failed');
  `,
]
