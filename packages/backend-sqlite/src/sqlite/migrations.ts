/**
 * What leads from each version of the schema to the next, the first from an empty file. Only ever add to the end:
 * files of every version are out there. `job`, `task` and `input` are the truth; the other columns are what queries need of
 * it. A row of `tasks` or `inputs` is never changed and its `id` never used again, so that whoever has read it need not read
 * it twice.
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
  CREATE INDEX jobs_due ON jobs (due_at, claimed_until) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_expired ON jobs (expires_at) WHERE phase IN ('completed', 'failed');

  CREATE TABLE tasks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    job_id TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL
  );
  `,
  // NULL stands for the expiry: a process of an older release that has the file open writes no `delete_at`.
  `
  ALTER TABLE jobs ADD COLUMN delete_at INTEGER;
  DROP INDEX jobs_expired;
  CREATE INDEX jobs_to_delete ON jobs (ifnull(delete_at, expires_at)) WHERE phase IN ('completed', 'failed');
  `,
  // Jobs that are there already keep their long inputs in `job` until they are next written. The trigger is for processes of
  // an older release that have the file open, which delete jobs and know nothing of `inputs`.
  `
  CREATE TABLE inputs (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    job_id TEXT NOT NULL UNIQUE,
    input TEXT NOT NULL
  );
  CREATE TRIGGER input_goes_with_its_job AFTER DELETE ON jobs BEGIN
    DELETE FROM inputs WHERE job_id = old.id;
  END;
  `,
]
