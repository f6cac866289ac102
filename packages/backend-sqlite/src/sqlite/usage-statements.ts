import { type UsageGrouping, usageGroupings } from '@genmount/core'

/** The columns of what sums are grouped by, in the order of `usageGroupings`. A place is a number of one of them. */
const columns = ['owner', 'day', 'model', 'key_id']
const dayPlace = 1
const totals = [
  'jobs',
  'failed',
  'outputs',
  'output_ms',
  'spent_micro_usd',
  'unknown_costs',
  'reserved_micro_usd',
]
  .map((name) => `total(${name}) AS ${name}`)
  .join()

export function placesIn(groupBy: readonly UsageGrouping[]): readonly number[] {
  return columns.flatMap((_, place) => (groupBy.includes(usageGroupings[place]!) ? [place] : []))
}

/** The places by which a page begins: also that of the day, if the groups have neither owner nor day. */
export function placesBefore(places: readonly number[]): readonly number[] {
  // Nothing sorts before a text, but the day of all groups, which is 0, comes after that of a first page, which is -1.
  return places[0]! <= dayPlace ? places : [dayPlace, ...places]
}

/**
 * Adds up the ledger in groups: the sums of whole days, and the entries of the parts of days before and after them. A column that
 * the groups do not have in common has the same value in all of them. Each grouping has a statement of its own, so that SQLite
 * adds up in the order of the table, and stops at the end of a page, where the groups begin with the owner.
 * @param owned a condition that selects the owner
 * @param conditions those of the sums of whole days, which select each of them once together
 */
function usageOf(
  places: readonly number[],
  owned: string,
  conditions: readonly string[],
  first = '',
): string {
  const grouped = places.map((place) => columns[place]).join()
  const shown = columns.map((name, place) =>
    places.includes(place) ? name : `${place === dayPlace ? 0 : "''"} AS ${name}`,
  )
  const before = placesBefore(places)
  const place = before.map((each) => (places.includes(each) ? columns[each] : 0))
  const isAfter = `(${place}) > (${before.map((each) => `:after${each}`)})`
  const groups = grouped && `GROUP BY ${grouped} HAVING total(jobs) > 0`
  const page = `${grouped && `ORDER BY ${grouped}`} LIMIT :limit`
  const part = (table: string, condition: string) =>
    `SELECT * FROM (SELECT ${shown}, ${totals} FROM ${table} WHERE ${condition} AND ${isAfter} ${groups} ${page})`
  const parts = [
    ...conditions.map((condition) => part('daily_usage', condition)),
    part('counted_costs', `${owned}ended_at >= :from AND ended_at < min(:to, :first * 86400000)`),
    part('counted_costs', `${owned}ended_at >= :end * 86400000 AND ended_at < :to`),
  ]
  return `${first} SELECT * FROM (
    SELECT ${columns}, ${totals} FROM (${parts.join(' UNION ALL ')}) ${groups}
  ) WHERE jobs > 0 ${page}`
}

const inDays = 'day >= :first AND day < :end'
const areFew = '(SELECT max(owner IS NULL) FROM owners)'
/** Whoever is not read by has no days and no owners: a condition beside them would be checked for each row. */
const byOwnerOrDay = [
  `owner IN (SELECT owner FROM owners WHERE ${areFew}) AND ${inDays}`,
  `day >= iif(${areFew}, :end, :first) AND day < :end`,
]

/**
 * Finds the owners, if there are at least four rows of sums for each. The table has the days of an owner beside each other, so
 * reading them owner by owner is some ten times as fast as by the index over days, which leads to one row at a time. It takes two
 * searches for each owner who has ever had a job.
 */
const ownersFrom = (place: string) => `
  WITH RECURSIVE looked_at (size) AS MATERIALIZED (SELECT count(*) FROM daily_usage WHERE ${inDays}),
  owners (owner) AS MATERIALIZED (
    SELECT min(owner) FROM daily_usage ${place}
    UNION ALL
    SELECT (SELECT min(owner) FROM daily_usage AS later WHERE later.owner > owners.owner) FROM owners
    WHERE owner IS NOT NULL LIMIT (SELECT size / 4 + 1 FROM looked_at)
  )`

/** The name of the statement that adds up the ledger. @param owner that of the query */
export function usageName(owner: string | undefined, places: readonly number[]): `usage${string}` {
  return `usage${owner === undefined ? 'OfAll' : ''}${places.join('')}`
}

/** The statements that add up the ledger, of one owner and of all, for each grouping. */
export const usageStatements: Readonly<Record<`usage${string}`, string>> = Object.fromEntries(
  Array.from({ length: 16 }, (_, bits) => {
    const places = [0, 1, 2, 3].filter((place) => bits & (1 << place))
    const owners = ownersFrom(places[0] === 0 ? 'WHERE owner >= :after0' : '')
    const owned = 'owner = :owner AND '
    return [
      [usageName('', places), usageOf(places, owned, [owned + inDays])],
      [usageName(undefined, places), usageOf(places, '', byOwnerOrDay, owners)],
    ]
  }).flat(),
)
