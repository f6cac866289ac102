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
const usageColumns = `owner, day, model, key_id, ${usageSums.join(', ')}`
const summed = usageSums.map((name) => `sum(${name}) AS ${name}`).join(', ')

/**
 * Adds up the ledger of the owner $14 in groups: the rows of whole days from $3 to before $4, and the entries of the parts of days
 * before and after them, from $1 to before $2. $5 to $8 say by what to group; what is not grouped by has the same value in all
 * rows. $9 to $12 are the group before the first one. `spare` counts rows that could be merged with others.
 */
export const usageOfOwner = `
  SELECT *, sum(spare) OVER () AS all_spare FROM (
    SELECT CASE WHEN $5::boolean THEN owner ELSE '' END COLLATE "C" AS owner, CASE WHEN $6::boolean THEN day ELSE 0 END AS day,
      CASE WHEN $7::boolean THEN model ELSE '' END COLLATE "C" AS model,
      CASE WHEN $8::boolean THEN key_id ELSE '' END COLLATE "C" AS key_id, ${summed}, sum(spare) AS spare
    FROM (
      SELECT owner, day, model, key_id, ${summed}, count(*) - 1 AS spare FROM @daily_usage
      WHERE owner = $14 AND day >= $3::bigint AND day < $4::bigint GROUP BY owner, day, model, key_id
      UNION ALL
      SELECT ${usageColumns}, 0 FROM @counted_costs
      WHERE owner = $14 AND ended_at >= $1::bigint AND ended_at < least($2::bigint, $3::bigint * 86400000)
      UNION ALL
      SELECT ${usageColumns}, 0 FROM @counted_costs
      WHERE owner = $14 AND ended_at >= $4::bigint * 86400000 AND ended_at < $2::bigint
    ) AS counted GROUP BY 1, 2, 3, 4
  ) AS sums
  WHERE jobs > 0 AND (owner, day, model, key_id) > ($9, $10::bigint, $11, $12)
  ORDER BY owner, day, model, key_id LIMIT $13`

const columns = {
  owner: { name: 'owner', none: `''::text AS owner`, type: 'text' },
  day: { name: 'day', none: '0::bigint AS day', type: 'bigint' },
  model: { name: 'model', none: `''::text AS model`, type: 'text' },
  keyId: { name: 'key_id', none: `''::text AS key_id`, type: 'text' },
} as const

/** The parts of a group by which a page begins, in the order of the parameters: also the day, if the groups have neither owner nor day. */
export function placeOf(groupBy: readonly UsageGrouping[]): readonly UsageGrouping[] {
  const grouped = usageGroupings.filter((name) => groupBy.includes(name))
  return grouped[0] === 'owner' || grouped[0] === 'day' ? grouped : ['day', ...grouped]
}

/**
 * The same for all owners. $5 is the most rows, and from $6 on there are the parts of the group before the first one. Each
 * grouping has a statement of its own, so that Postgres reads in the order of an index, and stops at the end of a page, where the
 * groups begin with the owner. `single` counts rows of one job: those are the ones that could be merged with others, but to know
 * whether they can would take as long as three such statements.
 */
function usageOfAll(groupBy: readonly UsageGrouping[]): string {
  const grouped = groupBy.map((name) => columns[name].name).join(', ')
  const shown = usageGroupings.map((name) => columns[name][groupBy.includes(name) ? 'name' : 'none'])
  // Where nothing sorts before the first group, the day of all groups, which is 0, comes after that of a first page, which is -1.
  const place = placeOf(groupBy)
  const ofPlace = place.map((name) => (groupBy.includes(name) ? columns[name].name : '0::bigint'))
  const isAfter = `(${ofPlace.join(', ')}) > (${place.map((name, at) => `$${at + 6}::${columns[name].type}`).join(', ')})`
  const groups = groupBy.length > 0 ? `GROUP BY ${grouped}` : ''
  const inOrder = groupBy.length > 0 ? `ORDER BY ${grouped}` : ''
  const part = (table: string, single: string, condition: string) => `(
      SELECT ${shown.join(', ')}, ${summed}, ${single} AS single FROM @${table} WHERE ${condition} AND ${isAfter}
      ${groups} HAVING sum(jobs) > 0 ${inOrder} LIMIT $5
    )`
  const singles = 'count(*) FILTER (WHERE jobs BETWEEN -1 AND 1)'
  const [before, behind] = [
    'ended_at >= $1::bigint AND ended_at < least($2::bigint, $3::bigint * 86400000)',
    'ended_at >= $4::bigint * 86400000 AND ended_at < $2::bigint',
  ]
  return `
  SELECT ${shown.join(', ')}, ${summed}, sum(sum(single)) OVER () AS all_single FROM (
    ${part('daily_usage', singles, 'day >= $3::bigint AND day < $4::bigint')}
    UNION ALL ${part('counted_costs', '0', before)}
    UNION ALL ${part('counted_costs', '0', behind)}
  ) AS parts
  ${groups} HAVING sum(jobs) > 0 ${inOrder} LIMIT $5`
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

/** The most rows that a merge replaces. */
export const mostMergedRows = 100_000

/**
 * Replaces rows of the same owner, day, model and key by their sum, at most {@link mostMergedRows}, for days from $1 to before $2.
 * Rows that another process is merging are left to it.
 */
export const mergedUsage = (owned: string) => `
  WITH gone AS (
    DELETE FROM @daily_usage WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM @daily_usage WHERE ctid = ANY (ARRAY(
        SELECT unnest(array_agg(ctid)) FROM @daily_usage WHERE ${owned} day >= $1::bigint AND day < $2::bigint
        GROUP BY owner, day, model, key_id HAVING count(*) > 1 LIMIT ${mostMergedRows}
      )) FOR UPDATE SKIP LOCKED
    )) RETURNING ${usageColumns}
  ), written AS (
    INSERT INTO @daily_usage (${usageColumns})
    SELECT owner, day, model, key_id, ${summed} FROM gone GROUP BY owner, day, model, key_id
  )
  SELECT count(*) AS gone FROM gone`
