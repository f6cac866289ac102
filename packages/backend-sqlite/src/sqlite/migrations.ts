/**
 * Each entry changes the schema from one version to the next; the first one starts from an empty file. Only
 * add entries at the end, because files of every version are in use. The columns `job`, `task` and `input`
 * hold the whole job; the other columns repeat what the queries need. A row of `tasks` or `inputs` is never
 * changed.
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
  // NULL means the same instant as `expires_at`: a process of an older release that has the file open writes
  // no `delete_at`.
  `
  ALTER TABLE jobs ADD COLUMN delete_at INTEGER;
  DROP INDEX jobs_expired;
  CREATE INDEX jobs_to_delete ON jobs (ifnull(delete_at, expires_at)) WHERE phase IN ('completed', 'failed');
  `,
  // Existing jobs keep their long inputs in `job` until they are written the next time. The trigger is needed
  // for processes of an older release that have the file open: they delete jobs, but they do not know the
  // table `inputs`.
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
  // A trigger writes the costs, so that they are part of the transaction that ends the job, also when a process of an
  // older release ends it. It takes from the job what costEntryOf in core takes.
  `
  CREATE TABLE costs (
    job_id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    model TEXT NOT NULL,
    provider TEXT,
    outcome TEXT NOT NULL,
    cost_usd REAL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER NOT NULL
  );
  CREATE INDEX costs_of_owner ON costs (owner, ended_at, job_id);
  CREATE TRIGGER job_ends_with_its_cost AFTER UPDATE OF phase ON jobs
  WHEN new.phase IN ('completed', 'failed') AND old.phase NOT IN ('completed', 'failed')
    AND new.job ->> '$.completedAt' IS NOT NULL
  BEGIN
    INSERT OR REPLACE INTO costs VALUES (
      new.id, new.owner, new.job ->> '$.model', new.job ->> '$.provider', new.phase,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN new.job ->> '$.costUsd' END,
      new.job ->> '$.createdAt', new.job ->> '$.startedAt', new.job ->> '$.completedAt'
    );
  END;
  `,
  // Lists of jobs use this index. An id begins with the instant of its job's creation.
  `
  CREATE INDEX jobs_of_owner ON jobs (owner, id);
  `,
  // Existing entries keep NULL, because the number of their outputs is unknown.
  `
  ALTER TABLE costs ADD COLUMN outputs INTEGER;
  CREATE INDEX costs_by_end ON costs (ended_at, job_id);
  DROP TRIGGER job_ends_with_its_cost;
  CREATE TRIGGER job_ends_with_its_cost AFTER UPDATE OF phase ON jobs
  WHEN new.phase IN ('completed', 'failed') AND old.phase NOT IN ('completed', 'failed')
    AND new.job ->> '$.completedAt' IS NOT NULL
  BEGIN
    INSERT OR REPLACE INTO costs VALUES (
      new.id, new.owner, new.job ->> '$.model', new.job ->> '$.provider', new.phase,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN new.job ->> '$.costUsd' END,
      new.job ->> '$.createdAt', new.job ->> '$.startedAt', new.job ->> '$.completedAt',
      CASE WHEN new.phase = 'completed' THEN json_array_length(new.job, '$.outputs') ELSE 0 END
    );
  END;
  `,
  // These indexes count the unfinished jobs and the stored bytes of one owner. Each index has only the rows that it
  // needs: those of unfinished jobs, and those of jobs with files of known size. Existing jobs keep NULL.
  `
  ALTER TABLE jobs ADD COLUMN stored_bytes INTEGER;
  CREATE INDEX jobs_stored ON jobs (owner, expires_at, stored_bytes) WHERE stored_bytes IS NOT NULL;
  CREATE INDEX jobs_unfinished ON jobs (owner) WHERE phase NOT IN ('completed', 'failed');
  `,
  // How many bytes each upload takes in the file store.
  `
  CREATE TABLE uploads (
    key TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX uploads_of_owner ON uploads (owner, expires_at, bytes);
  CREATE INDEX uploads_by_expiry ON uploads (expires_at);
  `,
  // What jobs and entries of the ledger count in a budget while their cost is unknown, in millionths of a US dollar. Existing
  // ones keep NULL. A process of an older release leaves the column of a job as it is, so the index has unfinished jobs only.
  `
  ALTER TABLE jobs ADD COLUMN reserved_micro_usd INTEGER;
  CREATE INDEX jobs_reserved ON jobs (owner, reserved_micro_usd)
    WHERE reserved_micro_usd IS NOT NULL AND phase NOT IN ('completed', 'failed');
  ALTER TABLE costs ADD COLUMN reserved_micro_usd INTEGER;
  CREATE INDEX costs_reserved ON costs (owner, ended_at, reserved_micro_usd) WHERE reserved_micro_usd IS NOT NULL;
  DROP TRIGGER job_ends_with_its_cost;
  CREATE TRIGGER job_ends_with_its_cost AFTER UPDATE OF phase ON jobs
  WHEN new.phase IN ('completed', 'failed') AND old.phase NOT IN ('completed', 'failed')
    AND new.job ->> '$.completedAt' IS NOT NULL
  BEGIN
    INSERT OR REPLACE INTO costs VALUES (
      new.id, new.owner, new.job ->> '$.model', new.job ->> '$.provider', new.phase,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN new.job ->> '$.costUsd' END,
      new.job ->> '$.createdAt', new.job ->> '$.startedAt', new.job ->> '$.completedAt',
      CASE WHEN new.phase = 'completed' THEN json_array_length(new.job, '$.outputs') ELSE 0 END,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN NULL
        ELSE CAST(round(min(new.job ->> '$.reservedUsd', 1e6) * 1e6) AS INTEGER) END
    );
  END;
  `,
  // Sums of the ledger for each owner, UTC day, model and key, filled from the entries that are there. Texts are compared and
  // sorted by their UTF-8. What a job counted when it ended before is taken back first, while its old entry is still there.
  `
  ALTER TABLE costs ADD COLUMN key_id TEXT;
  ALTER TABLE costs ADD COLUMN seconds REAL;
  CREATE TABLE daily_usage (
    owner TEXT NOT NULL,
    day INTEGER NOT NULL,
    model TEXT NOT NULL,
    key_id TEXT NOT NULL,
    jobs INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    outputs INTEGER NOT NULL,
    output_ms INTEGER NOT NULL,
    spent_micro_usd INTEGER NOT NULL,
    unknown_costs INTEGER NOT NULL,
    reserved_micro_usd INTEGER NOT NULL,
    PRIMARY KEY (owner, day, model, key_id)
  ) WITHOUT ROWID;
  CREATE INDEX daily_usage_by_day ON daily_usage (day);
  CREATE VIEW counted_costs AS
    SELECT job_id, owner, ended_at, ended_at / 86400000 AS day, model, ifnull(key_id, '') AS key_id,
      1 AS jobs, outcome = 'failed' AS failed, ifnull(outputs, 0) AS outputs,
      CAST(round(ifnull(seconds, 0) * 1000) AS INTEGER) AS output_ms,
      CAST(round(min(ifnull(cost_usd, 0), 1e6) * 1e6) AS INTEGER) AS spent_micro_usd,
      cost_usd IS NULL AS unknown_costs, ifnull(reserved_micro_usd, 0) AS reserved_micro_usd
    FROM costs;
  INSERT INTO daily_usage
    SELECT owner, day, model, key_id, sum(jobs), sum(failed), sum(outputs), sum(output_ms), sum(spent_micro_usd),
      sum(unknown_costs), sum(reserved_micro_usd)
    FROM counted_costs GROUP BY owner, day, model, key_id;
  DROP TRIGGER job_ends_with_its_cost;
  CREATE TRIGGER job_ends_with_its_cost AFTER UPDATE OF phase ON jobs
  WHEN new.phase IN ('completed', 'failed') AND old.phase NOT IN ('completed', 'failed')
    AND new.job ->> '$.completedAt' IS NOT NULL
  BEGIN
    UPDATE daily_usage SET jobs = daily_usage.jobs - 1, failed = daily_usage.failed - cost.failed,
      outputs = daily_usage.outputs - cost.outputs, output_ms = daily_usage.output_ms - cost.output_ms,
      spent_micro_usd = daily_usage.spent_micro_usd - cost.spent_micro_usd,
      unknown_costs = daily_usage.unknown_costs - cost.unknown_costs,
      reserved_micro_usd = daily_usage.reserved_micro_usd - cost.reserved_micro_usd
    FROM counted_costs AS cost WHERE cost.job_id = new.id AND daily_usage.owner = cost.owner
      AND daily_usage.day = cost.day AND daily_usage.model = cost.model AND daily_usage.key_id = cost.key_id;
    INSERT OR REPLACE INTO costs VALUES (
      new.id, new.owner, new.job ->> '$.model', new.job ->> '$.provider', new.phase,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN new.job ->> '$.costUsd' END,
      new.job ->> '$.createdAt', new.job ->> '$.startedAt', new.job ->> '$.completedAt',
      CASE WHEN new.phase = 'completed' THEN json_array_length(new.job, '$.outputs') ELSE 0 END,
      CASE WHEN new.job ->> '$.isCostKnown' OR new.job ->> '$.costUsd' > 0 THEN NULL
        ELSE CAST(round(min(new.job ->> '$.reservedUsd', 1e6) * 1e6) AS INTEGER) END,
      new.job ->> '$.keyId',
      CASE WHEN new.phase = 'completed' THEN new.job ->> '$.seconds' ELSE 0 * (new.job ->> '$.seconds') END
    );
    INSERT INTO daily_usage
      SELECT owner, day, model, key_id, jobs, failed, outputs, output_ms, spent_micro_usd, unknown_costs,
        reserved_micro_usd
      FROM counted_costs WHERE job_id = new.id
      ON CONFLICT DO UPDATE SET jobs = jobs + 1, failed = failed + excluded.failed,
        outputs = outputs + excluded.outputs, output_ms = output_ms + excluded.output_ms,
        spent_micro_usd = spent_micro_usd + excluded.spent_micro_usd,
        unknown_costs = unknown_costs + excluded.unknown_costs,
        reserved_micro_usd = reserved_micro_usd + excluded.reserved_micro_usd;
  END;
  `,
  // The key with which a job was created, for budgets of keys, and what owners were granted, in millionths of a US dollar.
  `
  ALTER TABLE jobs ADD COLUMN key_id TEXT;
  CREATE TABLE grants (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    micro_usd INTEGER NOT NULL,
    granted_by TEXT NOT NULL,
    why TEXT NOT NULL,
    granted_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX grants_of_owner ON grants (owner, granted_at, id);
  CREATE INDEX grants_by_instant ON grants (granted_at, id);
  `,
  // How operators find jobs of all owners: by their state, and by the JSON of the vendor's id, which is the handle or its id.
  // The indexes have no entry of an unfinished job, so its steps write none. What operators have done outlives the jobs.
  `
  CREATE INDEX jobs_completed ON jobs (id) WHERE phase = 'completed';
  CREATE INDEX jobs_failed ON jobs (id) WHERE phase = 'failed';
  CREATE INDEX jobs_owing ON jobs (id) WHERE due_at IS NOT NULL AND phase IN ('completed', 'failed');
  CREATE INDEX jobs_by_task ON jobs (coalesce(job -> '$.handle.id', job -> '$.handle')) WHERE phase IN ('completed', 'failed');
  CREATE TABLE audit (
    id TEXT NOT NULL PRIMARY KEY,
    done_at INTEGER NOT NULL,
    job_id TEXT,
    entry TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX audit_by_instant ON audit (done_at, id);
  CREATE INDEX audit_of_job ON audit (job_id, done_at, id) WHERE job_id IS NOT NULL;
  `,
]

/**
 * The migrations that a database of this version lacks, in their order. A new database has version 0.
 * @throws Error when a newer release wrote the schema
 */
export function missingMigrations(version: number): readonly string[] {
  if (version > migrations.length)
    throw new Error(
      `its schema has version ${version}, and this release knows ${migrations.length}; use the release that wrote it, or a newer one`,
    )
  return migrations.slice(version)
}
