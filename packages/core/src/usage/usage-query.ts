import type { UsageGroup, UsageGrouping, UsageQuery } from '../contracts/storage/daily-usage.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { dayMs, dayOf, isDayBegin } from '../ledger/usage-counts.ts'
import { instantIn, monthBegin } from '../text/instant-text.ts'
import { cursorOf, placeOf } from '../text/place-cursor.ts'

/** What a client asks for with `GET /v1/usage`. */
export interface UsageParameters extends Required<Pick<UsageQuery, 'from' | 'to' | 'groupBy' | 'limit'>> {
  readonly after: UsageGroup | undefined
  /** Only jobs of this owner. Absent where the query can't or does not name one. */
  readonly owner?: string | undefined
  /** Whether the answer is CSV. */
  readonly isCsv: boolean
}

/** How the query and the answer name what jobs have in common. Clients can't group by owners: theirs is that of the key. */
export const shownNames = { owner: 'owner', day: 'day', model: 'model', keyId: 'key' } as const
const groupings: Readonly<Record<string, UsageGrouping>> = { day: 'day', model: 'model', key: 'keyId' }
const names = ['from', 'to', 'group_by', 'limit', 'cursor', 'format']

const namesForAll = ['owner', ...names]
const groupingsForAll = { owner: 'owner', ...groupings } as const

/**
 * Reads the query of `GET /v1/usage`, or of the same sums over all owners. A name that it does not know is refused, because sums without a misspelt filter would be
 * those of other jobs than the client expects.
 * @param accept the header `Accept` of the request
 * @param isOfAll whether the sums are those of all owners, which the query may name and group by
 * @throws GenerationError `invalid_request` that names the parameter and says what is accepted
 */
export function usageQuery(
  query: URLSearchParams,
  accept: string | undefined,
  now: number,
  isOfAll = false,
): UsageParameters {
  const accepted = isOfAll ? namesForAll : names
  for (const name of query.keys()) {
    if (!accepted.includes(name))
      refuse(name, `is not a parameter of usage; the parameters are ${accepted.join(', ')}`)
    if (query.getAll(name).length > 1) refuse(name, 'may be given only once')
  }
  const today = dayOf(now) * dayMs
  const from = namedInstant(query, 'from') ?? monthBegin(now)
  const to = namedInstant(query, 'to') ?? Math.max(from, today + dayMs)
  if (from > to) refuse('from', 'must not be later than to')
  const owner = query.get('owner') ?? undefined
  if (owner === '') refuse('owner', 'must be the name of an owner')
  return {
    from,
    to,
    ...(owner !== undefined && { owner }),
    groupBy: groupsIn(query, isOfAll ? groupingsForAll : groupings),
    limit: limitIn(query),
    after: afterIn(query, isOfAll),
    isCsv: isCsv(query, accept),
  }
}

/** The instant that a parameter names, in milliseconds since the Unix epoch. `undefined` without the parameter. */
function namedInstant(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const at = instantIn(/^[\d-]+$/.test(text) ? `${text}T00:00:00Z` : text)
  if (at === undefined)
    refuse(
      name,
      'must be a UTC day such as 2026-11-01 or an instant such as 2026-11-01T12:00:00Z (RFC 3339), in which + is written as %2B',
    )
  return Math.max(0, at)
}

function groupsIn(query: URLSearchParams, accepted: typeof groupings): readonly UsageGrouping[] {
  const text = query.get('group_by')
  if (text === null) return []
  const chosen = text.split(',')
  if (new Set(chosen).size < chosen.length || !chosen.every((name) => Object.hasOwn(accepted, name)))
    refuse(
      'group_by',
      `must be one or several of ${Object.keys(accepted).join(', ')}, each once, with commas between them`,
    )
  return chosen.map((name) => accepted[name]!)
}

function limitIn(query: URLSearchParams): number {
  const text = query.get('limit') ?? '1000'
  if (!/^(?:[1-9]\d{0,2}|1000)$/.test(text)) refuse('limit', 'must be a whole number from 1 to 1000')
  return Number(text)
}

function isCsv(query: URLSearchParams, accept = ''): boolean {
  const format = query.get('format')
  if (format !== null && format !== 'json' && format !== 'csv') refuse('format', 'must be json or csv')
  return format === null ? /^\s*text\/csv\b/i.test(accept) : format === 'csv'
}

/** The cursor of the page after this group. It contains only what the page before has shown. */
export function usageCursor({ owner, day, model, keyId }: UsageGroup): string {
  return cursorOf([day ?? null, model ?? null, keyId ?? null, ...(owner === undefined ? [] : [owner])])
}

function afterIn(query: URLSearchParams, isOfAll: boolean): UsageGroup | undefined {
  const cursor = query.get('cursor')
  if (cursor === null) return undefined
  const group = groupIn(cursor)
  if (!group || usageCursor(group) !== cursor || (group.owner !== undefined && !isOfAll))
    refuse('cursor', 'must be the next_cursor of an earlier page, unchanged')
  return group
}

function groupIn(cursor: string): UsageGroup | undefined {
  const place = placeOf(cursor)
  if (!Array.isArray(place)) return undefined
  const [day, model, keyId, owner] = place as readonly unknown[]
  return {
    ...(typeof owner === 'string' && { owner }),
    ...(isDayBegin(day) && { day }),
    ...(typeof model === 'string' && { model }),
    ...(typeof keyId === 'string' && { keyId }),
  }
}

function refuse(name: string, rule: string): never {
  const param = name.slice(0, 100)
  throw new GenerationError('invalid_request', `${param} ${rule}.`, { param })
}
