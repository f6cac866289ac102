import { checkOptions, type OptionTable } from '@genmount/core'
import { checkSchemaName } from './schema-name.ts'

/** One change of the schema. */
export interface PostgresMigration {
  /** The version of the schema that the change brings. */
  readonly version: number
  /** The statements, in one transaction that waits for the migrations of other nodes. */
  readonly sql: string
}

/**
 * Each entry changes the schema from one version to the next; the first one starts from nothing. Only add entries at the
 * end, because schemas of every version are in use. `oldestReader` is the oldest version whose releases may go on with
 * the changed schema, as in a rolling deployment: a migration that breaks older releases raises it.
 */
const changes: readonly { readonly oldestReader: number; readonly sql: string }[] = [
  {
    oldestReader: 1,
    sql: `
CREATE TABLE @jobs (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  phase text NOT NULL,
  revision bigint NOT NULL,
  due_at bigint,
  claimed_until bigint,
  claimed_by text COLLATE "C",
  expires_at bigint NOT NULL,
  delete_at bigint,
  idempotency_key text COLLATE "C",
  task_part bigint,
  input_part bigint,
  job text NOT NULL
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_threshold = 500,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX jobs_due ON @jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_to_delete ON @jobs (delete_at) WHERE delete_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_by_key ON @jobs (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE @parts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE @costs (
  job_id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  provider text COLLATE "C",
  outcome text NOT NULL,
  cost_usd double precision,
  created_at bigint NOT NULL,
  started_at bigint,
  ended_at bigint NOT NULL
);
CREATE INDEX costs_of_owner ON @costs (owner, ended_at, job_id);

CREATE TABLE @processes (
  id text COLLATE "C" PRIMARY KEY,
  slot int GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL DEFAULT current_setting('application_name'),
  has_session boolean NOT NULL,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 100, autovacuum_vacuum_scale_factor = 0);

CREATE UNLOGGED TABLE @waits (
  job_id text COLLATE "C",
  process text COLLATE "C",
  PRIMARY KEY (job_id, process)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
`,
  },
  {
    // Jobs are listed through it. An id begins with the instant of its job's creation.
    oldestReader: 1,
    sql: 'CREATE INDEX jobs_of_owner ON @jobs (owner, id);',
  },
  {
    // Existing entries keep NULL, because the number of outputs of those jobs is unknown.
    oldestReader: 1,
    sql: `
ALTER TABLE @costs ADD COLUMN outputs bigint;
CREATE INDEX costs_by_end ON @costs (ended_at, job_id);
`,
  },
  {
    // These indexes serve the counts of one owner's running jobs and bytes. Their columns change only when a job ends
    // or is deleted, so that they hinder no other update from being HOT. Existing jobs keep NULL.
    oldestReader: 1,
    sql: `
ALTER TABLE @jobs ADD COLUMN stored_bytes bigint;
CREATE INDEX jobs_stored ON @jobs (owner, expires_at, stored_bytes) WHERE stored_bytes IS NOT NULL;
CREATE INDEX jobs_unfinished ON @jobs (owner) WHERE delete_at IS NULL;
`,
  },
  {
    // How many bytes each upload takes in the file store.
    oldestReader: 1,
    sql: `
CREATE TABLE @uploads (
  key text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  expires_at bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX uploads_of_owner ON @uploads (owner, expires_at, bytes);
CREATE INDEX uploads_by_expiry ON @uploads (expires_at);
`,
  },
  {
    // Counts an owner's unfinished jobs, at most $2 of them, and lets no other transaction count them before this one has
    // ended. As the function is volatile, its second statement sees what was committed while the first one waited.
    oldestReader: 1,
    sql: `
CREATE FUNCTION @unfinished_jobs(text, bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('@jobs ' || $1, 0));
  SELECT count(*) FROM (SELECT FROM @jobs WHERE owner = $1 AND delete_at IS NULL LIMIT $2) AS unfinished;
$$;
`,
  },
  {
    // What jobs and entries of the ledger count in a budget while their cost is unknown, in millionths of a US dollar.
    // Existing ones keep NULL. A process of an older release leaves the column of a job as it is, so only unfinished jobs
    // count. `spending` adds up since $2 and $3 in one snapshot, so a job that ends counts once. The sum of costs has at most
    // a million dollars for each job, as in core. `locked_spending` lets no other transaction add up before this one has ended.
    oldestReader: 1,
    sql: `
ALTER TABLE @jobs ADD COLUMN reserved_micro_usd bigint;
ALTER TABLE @costs ADD COLUMN reserved_micro_usd bigint;
CREATE INDEX costs_reserved ON @costs (owner, ended_at) WHERE reserved_micro_usd IS NOT NULL;
CREATE FUNCTION @spending(text, bigint, bigint, OUT spent numeric, OUT reserved numeric) LANGUAGE sql STABLE AS $$
  SELECT
    coalesce((
      SELECT sum(round(least(cost_usd, 1e6) * 1e6)::bigint) FROM @costs
      WHERE owner = $1 AND ended_at >= $3 AND cost_usd IS NOT NULL
    ), 0),
    coalesce((
      SELECT sum(reserved_micro_usd) FROM @costs
      WHERE owner = $1 AND ended_at >= $2 AND reserved_micro_usd IS NOT NULL
    ), 0) + coalesce((
      SELECT sum(reserved_micro_usd) FROM @jobs
      WHERE owner = $1 AND delete_at IS NULL AND reserved_micro_usd IS NOT NULL
    ), 0);
$$;
CREATE FUNCTION @locked_spending(text, bigint, bigint) RETURNS numeric LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('@jobs ' || $1, 0));
  SELECT spent + reserved FROM @spending($1, $2, $3);
$$;
`,
  },
  {
    // Leaves room for the next rows of a job on its page. This changes no stored row, and locks out no reader or writer.
    oldestReader: 1,
    sql: 'ALTER TABLE @jobs SET (fillfactor = 60);',
  },
  {
    // Sums of the ledger for each owner, UTC day, model and key, filled from the entries that are there. The trigger adds a row
    // for each entry, and takes back what the entry counted that it replaces, so no end of a job waits for another one, and
    // processes of older releases, which write entries too, count theirs. Readers add the rows up, and merge them when they are
    // many. The trigger has the rights of the owner of the schema, because a role that was set up for an older release may lack
    // those on the new table.
    oldestReader: 1,
    sql: `
ALTER TABLE @costs ADD COLUMN key_id text COLLATE "C", ADD COLUMN seconds double precision;
CREATE TABLE @daily_usage (
  owner text COLLATE "C" NOT NULL,
  day bigint NOT NULL,
  model text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  jobs bigint NOT NULL,
  failed bigint NOT NULL,
  outputs bigint NOT NULL,
  output_ms bigint NOT NULL,
  spent_micro_usd bigint NOT NULL,
  unknown_costs bigint NOT NULL,
  reserved_micro_usd bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
CREATE INDEX daily_usage_of_owner ON @daily_usage (owner, day);
CREATE INDEX daily_usage_by_day ON @daily_usage (day);
CREATE VIEW @counted_costs AS
  SELECT job_id, owner, ended_at, ended_at / 86400000 AS day, model, coalesce(key_id, '') COLLATE "C" AS key_id,
    1::bigint AS jobs, (outcome = 'failed')::int::bigint AS failed, coalesce(outputs, 0) AS outputs,
    round(coalesce(seconds, 0) * 1000)::bigint AS output_ms,
    round(least(coalesce(cost_usd, 0), 1e6) * 1e6)::bigint AS spent_micro_usd,
    (cost_usd IS NULL)::int::bigint AS unknown_costs, coalesce(reserved_micro_usd, 0) AS reserved_micro_usd
  FROM @costs;
CREATE FUNCTION @count_cost() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO @daily_usage VALUES (
      OLD.owner, OLD.ended_at / 86400000, OLD.model, coalesce(OLD.key_id, ''), -1,
      -(OLD.outcome = 'failed')::int, -coalesce(OLD.outputs, 0), -round(coalesce(OLD.seconds, 0) * 1000)::bigint,
      -round(least(coalesce(OLD.cost_usd, 0), 1e6) * 1e6)::bigint, -(OLD.cost_usd IS NULL)::int,
      -coalesce(OLD.reserved_micro_usd, 0)
    );
  END IF;
  INSERT INTO @daily_usage VALUES (
    NEW.owner, NEW.ended_at / 86400000, NEW.model, coalesce(NEW.key_id, ''), 1,
    (NEW.outcome = 'failed')::int, coalesce(NEW.outputs, 0), round(coalesce(NEW.seconds, 0) * 1000)::bigint,
    round(least(coalesce(NEW.cost_usd, 0), 1e6) * 1e6)::bigint, (NEW.cost_usd IS NULL)::int,
    coalesce(NEW.reserved_micro_usd, 0)
  );
  RETURN NULL;
END $$;
CREATE TRIGGER cost_counts AFTER INSERT OR UPDATE ON @costs FOR EACH ROW EXECUTE FUNCTION @count_cost();
INSERT INTO @daily_usage
  SELECT owner, day, model, key_id, sum(jobs), sum(failed), sum(outputs), sum(output_ms), sum(spent_micro_usd),
    sum(unknown_costs), sum(reserved_micro_usd)
  FROM @counted_costs GROUP BY owner, day, model, key_id;
`,
  },
  {
    // The key with which a job was created, for budgets of keys, and what owners were granted, in millionths of a US dollar.
    // `taken` adds up what is taken of each budget, in one snapshot: \`$2\` is an array of records in JSON. \`locked_taken\` lets
    // no other transaction add up for the owner before this one has ended. Releases before this one take the same lock.
    oldestReader: 1,
    sql: `
ALTER TABLE @jobs ADD COLUMN key_id text COLLATE "C";
CREATE TABLE @grants (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  micro_usd bigint NOT NULL,
  granted_by text NOT NULL,
  why text NOT NULL,
  granted_at bigint NOT NULL
);
CREATE INDEX grants_of_owner ON @grants (owner, granted_at, id);
CREATE INDEX grants_by_instant ON @grants (granted_at, id);
CREATE FUNCTION @sums(text, json, OUT n bigint, OUT spent numeric, OUT reserved numeric, OUT granted numeric)
RETURNS SETOF record LANGUAGE sql STABLE AS $$
  SELECT ordinality,
    coalesce((
      SELECT sum(round(least(cost_usd, 1e6) * 1e6)::bigint) FROM @costs
      WHERE owner = $1 AND ended_at >= costs_from AND cost_usd IS NOT NULL AND (key IS NULL OR key_id = key)
    ), 0),
    coalesce((
      SELECT sum(reserved_micro_usd) FROM @costs
      WHERE owner = $1 AND ended_at >= from_at AND reserved_micro_usd IS NOT NULL AND (key IS NULL OR key_id = key)
    ), 0) + coalesce((
      SELECT sum(reserved_micro_usd) FROM @jobs
      WHERE owner = $1 AND delete_at IS NULL AND reserved_micro_usd IS NOT NULL AND (key IS NULL OR key_id = key)
    ), 0),
    coalesce((SELECT sum(micro_usd) FROM @grants WHERE owner = $1 AND has_grants), 0)
  FROM ROWS FROM (
    json_to_recordset($2) AS (from_at bigint, costs_from bigint, key text, has_grants boolean)
  ) WITH ORDINALITY
$$;
CREATE FUNCTION @locked_taken(text, json) RETURNS numeric[] LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('@jobs ' || $1, 0));
  SELECT array_agg(spent + reserved - granted ORDER BY n) FROM @sums($1, $2);
$$;
`,
  },
  {
    // How operators find the jobs of all owners. `is_failed` changes only when a job ends or goes on, so that it hinders no
    // other update from being HOT. The trigger notes the failures that processes of older releases write; it comes after the
    // write, because a trigger before it would lock each row first. The vendor's id is in the ledger: as the last column of a
    // job it would make Postgres log the whole row at the end. Jobs that have ended before, or that an older process ends, lack it.
    // The ledger's indexes no longer have the ids of jobs, so that the log of a job's life does not grow: entries of the same
    // instant are few.
    oldestReader: 1,
    sql: `
ALTER TABLE @jobs ADD COLUMN is_failed boolean;
ALTER TABLE @costs ADD COLUMN task_hash bigint;
UPDATE @jobs SET is_failed = true WHERE phase = 'failed';
CREATE INDEX jobs_failed ON @jobs (id) WHERE is_failed;
CREATE INDEX jobs_completed ON @jobs (id) WHERE delete_at IS NOT NULL AND is_failed IS NULL;
CREATE INDEX jobs_owing ON @jobs (id) WHERE due_at IS NOT NULL AND delete_at IS NOT NULL;
CREATE INDEX costs_by_task ON @costs (task_hash) WHERE task_hash IS NOT NULL;
DROP INDEX @costs_of_owner;
DROP INDEX @costs_by_end;
CREATE INDEX costs_of_owner ON @costs (owner, ended_at);
CREATE INDEX costs_by_end ON @costs (ended_at);
CREATE FUNCTION @note_failure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE @jobs SET is_failed = nullif(NEW.phase = 'failed', false) WHERE id = NEW.id AND revision = NEW.revision;
  RETURN NULL;
END $$;
CREATE TRIGGER failure_is_noted AFTER INSERT OR UPDATE ON @jobs FOR EACH ROW
  WHEN ((NEW.phase = 'failed') IS DISTINCT FROM (NEW.is_failed IS NOT NULL)) EXECUTE FUNCTION @note_failure();
CREATE TABLE @audit (
  id text COLLATE "C" PRIMARY KEY,
  done_at bigint NOT NULL,
  job_id text COLLATE "C",
  entry text NOT NULL
);
CREATE INDEX audit_by_instant ON @audit (done_at, id);
CREATE INDEX audit_of_job ON @audit (job_id, done_at, id) WHERE job_id IS NOT NULL;
`,
  },
]

/** The version of the schema that this release writes. */
export const newestVersion = changes.length

/** The key of the advisory lock under which one process at a time changes the schema. */
export function migrationLock(schema: string): string {
  return `SELECT pg_advisory_xact_lock(hashtextextended('genmount ${schema}', 0))`
}

/** The statements of the migrations after `version`, one text for each migration, to be run in transactions. */
export function migrationsAfter(version: number, schema: string): PostgresMigration[] {
  return changes.slice(version).map(({ oldestReader, sql }, index) => {
    const brings = version + index + 1
    const begin =
      brings === 1 ? `CREATE TABLE @versions (version int PRIMARY KEY, oldest_reader int NOT NULL);` : ''
    const end = `INSERT INTO @versions VALUES (${brings}, ${oldestReader});`
    const text = [begin, sql.trim(), end].filter((part) => part !== '').join('\n')
    return { version: brings, sql: `${text.replaceAll('@', `${schema}.`)}\n` }
  })
}

const table = { schema: checkSchemaName } satisfies OptionTable<{ readonly schema?: string | undefined }>

/**
 * The SQL that brings a database from nothing to the schema of this release, for operators who migrate by hand. Each
 * text is a transaction of its own, to be run in the order of the versions; leave out those that the table `versions`
 * has.
 * @param options `schema`: the name of the schema, `genmount` by default
 * @throws TypeError when `schema` is not a name
 * @example for (const { sql } of postgresMigrations()) console.log(sql)
 */
export function postgresMigrations(
  options: { readonly schema?: string | undefined } = {},
): PostgresMigration[] {
  const { schema = 'genmount' } = checkOptions('postgresMigrations', options, table)
  return migrationsAfter(0, schema).map(({ version, sql }) => {
    const create = version === 1 ? `CREATE SCHEMA IF NOT EXISTS ${schema};\n` : ''
    return { version, sql: `BEGIN;\n${migrationLock(schema)};\n${create}${sql}COMMIT;\n` }
  })
}
