import { type UsageGrouping, usageGroupings } from '@genmount/core'

const usageSums = [
  'jobs',
  'failed',
  'outputs',
  'output_ms',
  'spent_micro_usd',
  'unknown_costs',
  'reserved_micro_usd',
]
const totals = usageSums.map((name) => `total(${name}) AS ${name}`).join(', ')

/**
 * Adds up the ledger of the owner `:owner` in groups: the sums of whole days, and the entries of the parts of days before and
 * after them. A column that the groups do not have in common has the same value in all of them.
 */
export const usageOfOwner = `
  SELECT * FROM (
    SELECT iif(:byOwner, owner, '') AS owner, iif(:byDay, day, 0) AS day, iif(:byModel, model, '') AS model,
      iif(:byKey, key_id, '') AS key_id, ${totals}
    FROM (
      SELECT owner, day, model, key_id, ${usageSums.join(', ')} FROM daily_usage
      WHERE owner = :owner AND day >= :first AND day < :end
      UNION ALL
      SELECT owner, day, model, key_id, ${usageSums.join(', ')} FROM counted_costs
      WHERE owner = :owner AND ended_at >= :from AND ended_at < min(:to, :first * 86400000)
      UNION ALL
      SELECT owner, day, model, key_id, ${usageSums.join(', ')} FROM counted_costs
      WHERE owner = :owner AND ended_at >= :end * 86400000 AND ended_at < :to
    ) GROUP BY 1, 2, 3, 4
  )
  WHERE jobs > 0 AND (owner, day, model, key_id) > (:afterOwner, :afterDay, :afterModel, :afterKey)
  ORDER BY owner, day, model, key_id LIMIT :limit`

const columns = {
  owner: { name: 'owner', none: "''", after: ':afterOwner' },
  day: { name: 'day', none: '0', after: ':afterDay' },
  model: { name: 'model', none: "''", after: ':afterModel' },
  keyId: { name: 'key_id', none: "''", after: ':afterKey' },
} as const

/**
 * The same for all owners. Each grouping has a statement of its own, so that SQLite adds up in the order of the table, and stops
 * at the end of a page, where the groups begin with the owner.
 *
 * The table has the days of an owner beside each other, so reading them owner by owner is some ten times as fast as by the index
 * over days, which leads to one row at a time. It takes two searches for each owner who has ever had a job, so the index is used
 * where there are not four times as many rows to read as owners.
 */
function usageOfAll(groupBy: readonly UsageGrouping[]): string {
  const grouped = groupBy.map((name) => columns[name].name)
  const shown = usageGroupings.map((name) =>
    groupBy.includes(name) ? columns[name].name : `${columns[name].none} AS ${columns[name].name}`,
  )
  // Where nothing sorts before the first group, the day of all groups, which is 0, comes after that of a first page, which is -1.
  const hasDay = groupBy[0] !== 'owner' && groupBy[0] !== 'day'
  const place = hasDay ? ['0', ...grouped] : grouped
  const placeBefore = groupBy.map((name) => columns[name].after)
  const isAfter = `AND (${place.join(', ')}) > (${(hasDay ? [columns.day.after, ...placeBefore] : placeBefore).join(', ')})`
  const groups = grouped.length > 0 ? `GROUP BY ${grouped.join(', ')} HAVING total(jobs) > 0` : ''
  const inOrder = grouped.length > 0 ? `ORDER BY ${grouped.join(', ')}` : ''
  const part = (table: string, condition: string) => `
    SELECT * FROM (
      SELECT ${shown.join(', ')}, ${totals} FROM ${table} WHERE ${condition} ${isAfter}
      ${groups} ${inOrder} LIMIT :limit
    )`
  const inDays = 'day >= :first AND day < :end'
  const areFew = '(SELECT max(owner IS NULL) FROM owners)'
  // Whoever is not read by has no days and no owners: a condition beside them would be checked for each row.
  const byOwner = `owner IN (SELECT owner FROM owners WHERE ${areFew}) AND ${inDays}`
  const byDay = `day >= iif(${areFew}, :end, :first) AND day < :end`
  return `
  WITH RECURSIVE looked_at (size) AS MATERIALIZED (SELECT count(*) FROM daily_usage WHERE ${inDays}),
  owners (owner) AS MATERIALIZED (
    SELECT min(owner) FROM daily_usage${groupBy.includes('owner') ? ' WHERE owner >= :afterOwner' : ''}
    UNION ALL
    SELECT (SELECT min(owner) FROM daily_usage AS later WHERE later.owner > owners.owner) FROM owners
    WHERE owner IS NOT NULL LIMIT (SELECT size / 4 + 1 FROM looked_at)
  )
  SELECT * FROM (
    SELECT owner, day, model, key_id, ${totals} FROM (
      ${part('daily_usage', byOwner)}
      UNION ALL ${part('daily_usage', byDay)}
      UNION ALL ${part('counted_costs', 'ended_at >= :from AND ended_at < min(:to, :first * 86400000)')}
      UNION ALL ${part('counted_costs', 'ended_at >= :end * 86400000 AND ended_at < :to')}
    ) ${groups}
  ) WHERE jobs > 0 ${inOrder} LIMIT :limit`
}

/** The name of the statement that adds up the ledger of all owners in these groups. */
export type UsageOfAllName = `usageOfAll${'' | 'Owner'}${'' | 'Day'}${'' | 'Model'}${'' | 'KeyId'}`

const nameParts = { owner: 'Owner', day: 'Day', model: 'Model', keyId: 'KeyId' } as const

export function usageOfAllName(groupBy: readonly UsageGrouping[]): UsageOfAllName {
  const parts = usageGroupings.filter((name) => groupBy.includes(name)).map((name) => nameParts[name])
  return `usageOfAll${parts.join('')}` as UsageOfAllName
}

/** The statements that add up the ledger of all owners, one for each grouping. */
export const usageOfAllStatements = Object.fromEntries(
  Array.from({ length: 2 ** usageGroupings.length }, (_, bits) => {
    const groupBy = usageGroupings.filter((_name, place) => bits & (1 << place))
    return [usageOfAllName(groupBy), usageOfAll(groupBy)]
  }),
) as Readonly<Record<UsageOfAllName, string>>
