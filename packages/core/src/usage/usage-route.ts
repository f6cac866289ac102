import type { Clock } from '../contracts/clock.ts'
import type { UsageGrouping } from '../contracts/storage/daily-usage.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { PluginReply, PluginRequest, PluginRoute } from '../contracts/plugin/plugin-route.ts'
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
    async answer(request) {
      start()
      return usageReply({ jobs, clock }, { ...request, path: '/v1/usage' })
    },
  }
}

/** What {@link usageReply} reads from. */
export interface UsageSource {
  /** The job store. */
  readonly jobs: Required<Pick<JobStore, 'dailyUsage'>> & Pick<JobStore, 'spending'>
  /** The clock of the service. */
  readonly clock: Pick<Clock, 'now'>
}

/** A request for sums of the ledger. */
export interface UsageReplyRequest extends Pick<PluginRequest, 'baseUrl' | 'header' | 'query'> {
  /** The owner of the jobs. @default all owners, one of whom the query may name */
  readonly owner?: string | undefined
  /** The path of the request, for the link to the next page. */
  readonly path: string
}

/**
 * Answers as `GET /v1/usage` does, also for all owners: the query may then have `owner`, and group by it. What is reserved for
 * unfinished jobs is in the sums of one owner alone.
 * @throws GenerationError `invalid_request` that names the wrong parameter, or `store_unavailable`
 * @example usageReply({ jobs, clock }, { ...request, owner: undefined, path: '/v1/operator/usage' })
 */
export async function usageReply(
  { jobs, clock }: UsageSource,
  { owner: own, path, query, header, baseUrl }: UsageReplyRequest,
): Promise<PluginReply> {
  const parameters = usageQuery(query, header('accept'), clock.now(), own === undefined)
  const { isCsv, ...request } = parameters
  const { owner = own } = parameters
  const { groups, next, ...totals } = await readUsage(jobs, { ...request, owner })
  const data = groups.map((row) => shownGroup(row, parameters.groupBy))
  const cursor = next && usageCursor(next)
  if (isCsv) return csvReply(parameters, data, cursor, baseUrl + path)
  const reservedUsd =
    owner === undefined ? totals.reservedUsd : sumUsd(totals.reservedUsd, await reservedNow(jobs, owner))
  return {
    json: {
      object: 'usage',
      ...shownRange(parameters),
      ...shownSums({ ...totals, reservedUsd }),
      group_by: parameters.groupBy.map((name) => shownNames[name]),
      data,
      has_more: cursor !== undefined,
      next_cursor: cursor ?? null,
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
  const { owner, day, model, keyId } = row
  return {
    ...(owner !== undefined && { owner }),
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
  url: string,
): PluginReply {
  const { groupBy, limit, owner } = parameters
  const groups = groupBy.map((name) => shownNames[name])
  const sums = ['jobs', 'failed', 'outputs', 'seconds', 'cost_usd', 'unknown_costs', 'reserved_usd'] as const
  const next = new URLSearchParams({ ...shownRange(parameters), group_by: groups.join(','), format: 'csv' })
  next.set('limit', String(limit))
  if (owner !== undefined) next.set('owner', owner)
  if (cursor !== undefined) next.set('cursor', cursor)
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="usage.csv"',
      ...(cursor !== undefined && { link: `<${url}?${next}>; rel="next"` }),
    },
    text: csvOf([...groups, ...sums], data),
  }
}
