import {
  cursorOf,
  dayMs,
  instantText,
  limitTo,
  type PluginHost,
  type PluginRoute,
  readQuery,
  type UsageGroup,
  type UsageRow,
} from '@genmount/core'
import { needed, startUnlessClosing } from '../plugin/service-of.ts'
import { listObject } from '../wire/list-object.ts'
import { placeCursor, ownerParameter, usualLimit } from '../wire/read-query.ts'

/** How many UTC days back keys are looked for, with today. */
const days = 30

const parameters = {
  owner: ownerParameter,
  limit: limitTo(100),
  cursor: placeCursor(groupIn),
}

/**
 * `GET /v1/operator/keys`: the keys whose jobs have ended in the last 30 UTC days, by owner and key, with the number and the cost
 * of these jobs, and the last day of each.
 */
export function keysRoute(host: PluginHost): PluginRoute {
  return {
    method: 'GET',
    path: '/v1/operator/keys',
    async answer({ query }) {
      startUnlessClosing(host)
      const { owner, limit = usualLimit, cursor } = readQuery(query, parameters)
      const usage = needed(host.jobs.dailyUsage, 'The job store does not add up its ledger')
      const now = host.clock.now()
      const to = now - (now % dayMs) + dayMs
      const range = { from: to - days * dayMs, to }
      const rows = await usage({
        ...range,
        owner,
        groupBy: ['owner', 'keyId'],
        after: cursor,
        limit: limit + 1,
      })
      const page = rows.slice(0, limit)
      const owners = [...new Set(page.map((row) => row.owner!))]
      const daily = await Promise.all(
        owners.map((name) =>
          usage({ ...range, owner: name, groupBy: ['day', 'keyId'], limit: Number.MAX_SAFE_INTEGER }),
        ),
      )
      const lastDays = new Map(
        owners.flatMap((name, at) =>
          daily[at]!.map(({ keyId, day }) => [JSON.stringify([name, keyId]), day!] as const),
        ),
      )
      const data = page.map((row) => keyObject(row, lastDays.get(JSON.stringify([row.owner, row.keyId]))))
      const last = page.at(-1)
      return {
        json: listObject(
          data,
          rows.length > limit && last ? cursorOf([last.owner, last.keyId ?? null]) : undefined,
        ),
      }
    },
  }
}

function keyObject({ owner, keyId, jobs, failed, spentMicroUsd }: UsageRow, lastDay: number | undefined) {
  return {
    object: 'operator_key',
    owner,
    key: keyId ?? null,
    jobs,
    failed,
    cost_usd: spentMicroUsd / 1e6,
    last_day: lastDay === undefined ? null : instantText(lastDay).slice(0, 10),
  }
}

function groupIn(place: unknown): UsageGroup | undefined {
  const [owner, keyId] = Array.isArray(place) ? (place as readonly unknown[]) : []
  if (typeof owner !== 'string') return undefined
  return { owner, ...(typeof keyId === 'string' && { keyId }) }
}
