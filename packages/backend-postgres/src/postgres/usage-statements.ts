const usageSums = [
  'jobs',
  'failed',
  'outputs',
  'output_ms',
  'spent_micro_usd',
  'unknown_costs',
  'reserved_micro_usd',
]
const usageColumns = `owner, day, model, key_id, ${usageSums.join(', ')}`
const summed = usageSums.map((name) => `sum(${name}) AS ${name}`).join(', ')

/**
 * Adds up the ledger in groups: the rows of whole days from $3 to before $4, and the entries of the parts of days before and
 * after them, from $1 to before $2. $5 to $8 say by what to group; what is not grouped by has the same value in all rows. $9 to
 * $12 are the group before the first one. `spare` counts rows that could be merged with others.
 * @param owned a condition that selects the owner
 */
export const usageOf = (owned: string) => `
  SELECT *, sum(spare) OVER () AS all_spare FROM (
    SELECT CASE WHEN $5::boolean THEN owner ELSE '' END COLLATE "C" AS owner, CASE WHEN $6::boolean THEN day ELSE 0 END AS day,
      CASE WHEN $7::boolean THEN model ELSE '' END COLLATE "C" AS model,
      CASE WHEN $8::boolean THEN key_id ELSE '' END COLLATE "C" AS key_id, ${summed}, sum(spare) AS spare
    FROM (
      SELECT owner, day, model, key_id, ${summed}, count(*) - 1 AS spare FROM @daily_usage
      WHERE ${owned} day >= $3::bigint AND day < $4::bigint GROUP BY owner, day, model, key_id
      UNION ALL
      SELECT ${usageColumns}, 0 FROM @counted_costs
      WHERE ${owned} ended_at >= $1::bigint AND ended_at < least($2::bigint, $3::bigint * 86400000)
      UNION ALL
      SELECT ${usageColumns}, 0 FROM @counted_costs
      WHERE ${owned} ended_at >= $4::bigint * 86400000 AND ended_at < $2::bigint
    ) AS counted GROUP BY 1, 2, 3, 4
  ) AS sums
  WHERE jobs > 0 AND (owner, day, model, key_id) > ($9, $10::bigint, $11, $12)
  ORDER BY owner, day, model, key_id LIMIT $13`

/**
 * Replaces rows of the same owner, day, model and key by their sum, at most 100,000 rows, for days from $1 to before $2. Rows
 * that another process is merging are left to it.
 */
export const mergedUsage = (owned: string) => `
  WITH gone AS (
    DELETE FROM @daily_usage WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @daily_usage WHERE ${owned} day >= $1::bigint AND day < $2::bigint
      LIMIT 100000 FOR UPDATE SKIP LOCKED
    )) RETURNING ${usageColumns}
  )
  INSERT INTO @daily_usage (${usageColumns})
  SELECT owner, day, model, key_id, ${summed} FROM gone GROUP BY owner, day, model, key_id`
