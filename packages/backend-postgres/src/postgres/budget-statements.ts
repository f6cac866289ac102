/**
 * Whether a job fits into all of its budgets.
 * @param taken an array of what is taken of each budget. Null when there is no budget
 * @param more what the job takes besides
 * @param budgets the budgets, an array of records in JSON
 */
export const isRoomLeft = (taken: string, more: string, budgets: string) => `
  coalesce((
    SELECT bool_and(each_taken + ${more} <= most)
    FROM ROWS FROM (unnest(${taken}), json_to_recordset(${budgets}::json) AS (most bigint)) AS both_sides (each_taken, most)
  ), true)`

/** The statements that read what was spent and granted. */
export const budgetStatements = {
  spending: 'SELECT spent, reserved, granted FROM @sums($1, $2::json) ORDER BY n',
  grant: `
    INSERT INTO @grants (id, owner, micro_usd, granted_by, why, granted_at) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (id) DO NOTHING`,
  grantOf: 'SELECT * FROM @grants WHERE id = $1',
  grants: `
    SELECT * FROM @grants WHERE owner = $4 AND (granted_at, id) > ($1, $2) ORDER BY granted_at, id LIMIT $3`,
  grantsOfAll: 'SELECT * FROM @grants WHERE (granted_at, id) > ($1, $2) ORDER BY granted_at, id LIMIT $3',
}
