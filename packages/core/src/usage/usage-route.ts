import type { Clock } from '../contracts/clock.ts'
import type { UsageGrouping } from '../contracts/daily-usage.ts'
import type { JobStore } from '../contracts/job-store.ts'
import type { PluginReply, PluginRoute } from '../contracts/plugin-route.ts'
import { readUsage, type Sums, type UsageGroupSums, type UsageSums } from './read-usage.ts'
import { instantText } from '../text/instant-text.ts'
import { csvOf } from './usage-csv.ts'
import { usageOperation } from './usage-operation.ts'
import { type UsageParameters, shownNames, usageCursor, usageQuery } from './usage-query.ts'

/** `GET /v1/usage`: what the jobs of the key's owner have cost, by the ledger. */
export function usageRoute(
  jobs: Sums & Pick<JobStore, 'spending'>,
  clock: Clock,
  start: () => void,
): PluginRoute {
  return {
    method: 'GET',
    path: '/v1/usage',
    operation: usageOperation,
    async answer({ owner, query, header, baseUrl }) {
      start()
      const parameters = usageQuery(query, header('accept'), clock.now())
      const { isCsv, ...request } = parameters
      const { groups, next, ...totals } = await readUsage(jobs, { ...request, owner })
      const data = groups.map((row) => shownGroup(row, parameters.groupBy))
      const cursor = next && usageCursor(next)
      if (isCsv) return csvReply(parameters, data, cursor, baseUrl)
      const { reservedUsd } = totals
      return {
        json: {
          object: 'usage',
          ...shownRange(parameters),
          ...shownSums({ ...totals, reservedUsd: sumUsd(reservedUsd, await reservedNow(jobs, owner)) }),
          group_by: parameters.groupBy.map((name) => shownNames[name]),
          data,
          has_more: cursor !== undefined,
          next_cursor: cursor ?? null,
        },
      }
    },
  }
}

/** What is reserved now for the owner's unfinished jobs, in US dollars. 0 with a store that counts no budgets. */
async function reservedNow({ spending }: Pick<JobStore, 'spending'>, owner: string): Promise<number> {
  const never = Number.MAX_SAFE_INTEGER
  const [sums] = (await spending?.(owner, [{ from: never, costsFrom: never }])) ?? []
  return (sums?.reservedMicroUsd ?? 0) / 1e6
}

/** The sum of two amounts in US dollars, exact to a millionth. */
function sumUsd(one: number, other: number): number {
  return Math.round((one + other) * 1e6) / 1e6
}

function shownRange({ from, to }: UsageParameters) {
  return { from: instantText(from), to: instantText(to) }
}

type ShownGroup = ReturnType<typeof shownGroup>

/** What the jobs of a group have in common, and their sums. */
function shownGroup(row: UsageGroupSums, groupBy: readonly UsageGrouping[]) {
  const { day, model, keyId } = row
  return {
    ...(day !== undefined && { day: instantText(day).slice(0, 10) }),
    ...(model !== undefined && { model }),
    ...(groupBy.includes('keyId') && { key: keyId ?? null }),
    ...shownSums(row),
  }
}

function shownSums({ jobs, failed, outputs, seconds, costUsd, unknownCosts, reservedUsd }: UsageSums) {
  return {
    jobs,
    failed,
    outputs,
    seconds,
    cost_usd: costUsd,
    unknown_costs: unknownCosts,
    reserved_usd: reservedUsd,
  }
}

/** The rows as a table. If there are more, the header `link` leads to them (RFC 8288). */
function csvReply(
  parameters: UsageParameters,
  data: readonly ShownGroup[],
  cursor: string | undefined,
  baseUrl: string,
): PluginReply {
  const { groupBy, limit } = parameters
  const groups = groupBy.map((name) => shownNames[name])
  const sums = ['jobs', 'failed', 'outputs', 'seconds', 'cost_usd', 'unknown_costs', 'reserved_usd'] as const
  const next = new URLSearchParams({ ...shownRange(parameters), group_by: groups.join(','), format: 'csv' })
  next.set('limit', String(limit))
  if (cursor !== undefined) next.set('cursor', cursor)
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="usage.csv"',
      ...(cursor !== undefined && { link: `<${baseUrl}/v1/usage?${next}>; rel="next"` }),
    },
    text: csvOf([...groups, ...sums], data),
  }
}
