import type { UsageGroup, UsageGrouping, UsageQuery } from '../contracts/storage/daily-usage.ts'
import {
  cursorParameter,
  limitTo,
  type QueryParameter,
  type QueryValues,
  readQuery,
  refuseParameter,
} from '../input/read-query.ts'
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
const groupingsForAll = { owner: 'owner', ...groupings } as const

/** A UTC day, which stands for its begin, or an instant. */
const dayOrInstant: QueryParameter<number> = {
  accepts:
    'a UTC day such as 2026-11-01 or an instant such as 2026-11-01T12:00:00Z (RFC 3339), in which + is written as %2B',
  read(text) {
    const at = instantIn(/^[\d-]+$/.test(text) ? `${text}T00:00:00Z` : text)
    return at && Math.max(0, at)
  },
}

const parameters = {
  from: dayOrInstant,
  to: dayOrInstant,
  group_by: groupsAmong(groupings),
  limit: limitTo(1000),
  cursor: cursorParameter((cursor) => groupIn(cursor, false)),
  format: {
    accepts: 'json or csv',
    read: (text: string) => (text === 'json' || text === 'csv' ? text : undefined),
  },
}

const parametersForAll = {
  owner: { accepts: 'the name of an owner', read: (text: string) => text || undefined },
  ...parameters,
  group_by: groupsAmong(groupingsForAll),
  cursor: cursorParameter((cursor) => groupIn(cursor, true)),
}

/**
 * Reads the query of `GET /v1/usage`, or of the same sums over all owners.
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
  const read: QueryValues<typeof parametersForAll> = isOfAll
    ? readQuery(query, parametersForAll, 'usage')
    : readQuery(query, parameters, 'usage')
  const { owner, format, from = monthBegin(now) } = read
  const { to = Math.max(from, (dayOf(now) + 1) * dayMs) } = read
  if (from > to) refuseParameter('from', 'must not be later than to')
  return {
    from,
    to,
    ...(owner !== undefined && { owner }),
    groupBy: read.group_by ?? [],
    limit: read.limit ?? 1000,
    after: read.cursor,
    isCsv: format === undefined ? /^\s*text\/csv\b/i.test(accept ?? '') : format === 'csv',
  }
}

function groupsAmong(
  accepted: Readonly<Record<string, UsageGrouping>>,
): QueryParameter<readonly UsageGrouping[]> {
  return {
    accepts: `one or several of ${Object.keys(accepted).join(', ')}, each once, with commas between them`,
    read(text) {
      const names = text.split(',')
      const isRight =
        new Set(names).size === names.length && names.every((name) => Object.hasOwn(accepted, name))
      return isRight ? names.map((name) => accepted[name]!) : undefined
    },
  }
}

/** The cursor of the page after this group. It contains only what the page before has shown. */
export function usageCursor({ owner, day, model, keyId }: UsageGroup): string {
  return cursorOf([day ?? null, model ?? null, keyId ?? null, ...(owner === undefined ? [] : [owner])])
}

function groupIn(cursor: string, isOfAll: boolean): UsageGroup | undefined {
  const place = placeOf(cursor)
  if (!Array.isArray(place)) return undefined
  const [day, model, keyId, owner] = place as readonly unknown[]
  const group = {
    ...(typeof owner === 'string' && { owner }),
    ...(isDayBegin(day) && { day }),
    ...(typeof model === 'string' && { model }),
    ...(typeof keyId === 'string' && { keyId }),
  }
  return usageCursor(group) === cursor && (isOfAll || group.owner === undefined) ? group : undefined
}
