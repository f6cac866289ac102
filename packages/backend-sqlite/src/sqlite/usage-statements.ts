import type { UsageGrouping } from '@genmount/core'

/** The columns of what sums are grouped by, in the order of their rows. */
const columns = ['owner', 'day', 'model', 'key_id']
const subsets = columns.reduce<readonly (readonly string[])[]>(
  (sets, column) => [...sets, ...sets.map((set) => [...set, column])],
  [[]],
)
const totals = [
  'jobs',
  'failed',
  'outputs',
  'output_ms',
  'spent_micro_usd',
  'unknown_costs',
  'reserved_micro_usd',
].map((name) => `total(${name}) AS ${name}`)

export function groupedColumns(groupBy: readonly UsageGrouping[]): readonly string[] {
  return columns.filter((column) =>
    groupBy.includes((column === 'key_id' ? 'keyId' : column) as UsageGrouping),
  )
}

/**
 * The table has the days of an owner beside each other, so reading them owner by owner is some ten times as fast as by an index over
 * days, which leads to one row at a time. It takes two searches for each owner who has ever had a job.
 */
const ofEachOwner = `owner IN (
  WITH RECURSIVE owners (owner) AS (
    SELECT min(owner) FROM daily_usage
    UNION ALL
    SELECT (SELECT min(owner) FROM daily_usage AS later WHERE later.owner > owners.owner) FROM owners WHERE owner IS NOT NULL
  ) SELECT owner FROM owners
) AND `

/**
 * Adds up the ledger in groups: the sums of whole days, and the entries of the parts of days before and after them. A column that
 * the groups do not have in common is 0. Each grouping has a statement of its own, so that SQLite adds up in the order of the
 * table, and stops at the end of a page, where the groups begin with the owner.
 */
function usageOf(grouped: readonly string[], isOfAll: boolean): string {
  const owned = isOfAll ? '' : 'owner = :owner AND '
  const values = columns.map((column) => (grouped.includes(column) ? column : '0'))
  const shown = columns.map((column, place) => `${values[place]} AS ${column}`)
  const [groups, inOrder] = grouped.length > 0 ? [`GROUP BY ${grouped}`, `ORDER BY ${grouped}`] : ['', '']
  const page = `${groups} HAVING total(jobs) > 0 ${inOrder} LIMIT :limit`
  const isAfter = `(0, ${values}) > (:afterIs, :afterOwner, :afterDay, :afterModel, :afterKey)`
  const part = (table: string, condition: string) =>
    `SELECT * FROM (SELECT ${shown}, ${totals} FROM ${table} WHERE ${condition} AND ${isAfter} ${page})`
  const parts = [
    part('daily_usage', `${isOfAll ? ofEachOwner : owned}day >= :first AND day < :end`),
    part('counted_costs', `${owned}ended_at >= :from AND ended_at < min(:to, :first * 86400000)`),
    part('counted_costs', `${owned}ended_at >= :end * 86400000 AND ended_at < :to`),
  ]
  return `SELECT ${columns}, ${totals} FROM (${parts.join(' UNION ALL ')}) ${page}`
}

export type UsageName = `usage${'' | 'OfAll'}${'' | ' owner'}${'' | ' day'}${'' | ' model'}${'' | ' key_id'}`

/** The name of the statement that adds up the ledger of one owner or of all. */
export function usageName(grouped: readonly string[], isOfAll: boolean): UsageName {
  return `usage${isOfAll ? 'OfAll' : ''}${['', ...grouped].join(' ')}` as UsageName
}

/** The statements that add up the ledger, for each grouping. */
export const usageStatements = Object.fromEntries(
  [false, true].flatMap((isOfAll) =>
    subsets.map((grouped) => [usageName(grouped, isOfAll), usageOf(grouped, isOfAll)]),
  ),
) as Readonly<Record<UsageName, string>>
