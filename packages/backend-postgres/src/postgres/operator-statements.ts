/**
 * Jobs of all owners, the last id first: those from $1 to before $2, at most $3, as many as fit into $4 characters, and in any
 * case the first one.
 * @param isWanted the condition of a partial index. It follows the comparisons of ids
 * @param from what to select the ids from
 */
const pageOf = (isWanted: string, from = '@jobs') => `
  SELECT job, (SELECT text FROM @parts WHERE id = input_part) AS input FROM (
    SELECT *, sum(length) OVER (ORDER BY id DESC) - length AS length_before FROM (
      SELECT id, job, input_part, octet_length(job)
        + coalesce((SELECT octet_length(text) FROM @parts WHERE id = input_part), 0) AS length
      FROM ${from} WHERE id >= $1 AND id < $2 AND ${isWanted} ORDER BY id DESC LIMIT $3
    ) AS last_ones
  ) AS measured
  WHERE length_before = 0 OR length_before + length <= $4 ORDER BY id DESC`

/** The statements by which operators find jobs of all owners and read the audit log. */
export const operatorStatements = {
  listAll: pageOf('true'),
  // No index has the unfinished jobs by their ids. So Postgres reads all of them, and must not go
  // through all jobs in the order of their ids instead, as it would without `MATERIALIZED`.
  listUnfinished: `
    WITH unfinished AS MATERIALIZED (SELECT id FROM @jobs WHERE delete_at IS NULL),
    wanted AS MATERIALIZED (SELECT id FROM unfinished WHERE id >= $1 AND id < $2 ORDER BY id DESC LIMIT $3)
    ${pageOf(
      'true',
      `(
      SELECT wanted.id, stored.* FROM wanted
      CROSS JOIN LATERAL (SELECT job, input_part FROM @jobs WHERE id = wanted.id OFFSET 0) AS stored
    ) AS jobs`,
    )}`,
  listCompleted: pageOf('delete_at IS NOT NULL AND is_failed IS NULL'),
  listFailed: pageOf('is_failed'),
  listOwing: pageOf('due_at IS NOT NULL AND delete_at IS NOT NULL'),
  // The jobs that have ended with a task of this id, and perhaps others. `OFFSET 0` makes Postgres look up job by job.
  byTask: `
    SELECT stored.id, stored.job FROM @costs CROSS JOIN LATERAL (
      SELECT id, job FROM @jobs WHERE id = job_id AND delete_at IS NOT NULL OFFSET 0
    ) AS stored
    WHERE task_hash = hashtextextended($1::text, 0)`,
  // $1 is the id as JSON, which is a part of the JSON of each job that has it. Others may have it elsewhere.
  unfinishedWith: `
    SELECT id, job FROM @jobs WHERE delete_at IS NULL AND position($1 IN job) > 0`,
  audit: `
    INSERT INTO @audit (id, done_at, job_id, entry) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET done_at = excluded.done_at, job_id = excluded.job_id, entry = excluded.entry`,
  auditOfAll: `
    SELECT entry FROM @audit WHERE (done_at, id) < ($1, $2) ORDER BY done_at DESC, id DESC LIMIT $3`,
  auditOfJob: `
    SELECT entry FROM @audit WHERE job_id = $4 AND (done_at, id) < ($1, $2) ORDER BY done_at DESC, id DESC LIMIT $3`,
}

/** The names of the statements that list jobs, by the state of the jobs. */
export const pageStatements = {
  all: 'listAll',
  unfinished: 'listUnfinished',
  completed: 'listCompleted',
  failed: 'listFailed',
  owing: 'listOwing',
} as const
