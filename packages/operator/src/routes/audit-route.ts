import type { AuditQuery, PluginHost, PluginRoute } from '@genmount/core'
import { needed, startUnlessClosing } from '../plugin/service-of.ts'
import { auditEntryObject } from '../wire/audit-entry-object.ts'
import { listObject } from '../wire/list-object.ts'
import { cursorOf, placeOf } from '../wire/place-cursor.ts'
import { limitTo100, readQuery, textUpTo } from '../wire/read-query.ts'

/** How many entries a page has if the operator does not say it. */
const usualLimit = 20

const parameters = {
  job: textUpTo(1000, 'the id of a job'),
  limit: limitTo100,
  cursor: { accepts: 'the next_cursor of an earlier page, unchanged', read: afterIn },
}

/** `GET /v1/operator/audit`: what operators have done, the latest first. */
export function auditRoute(host: PluginHost): PluginRoute {
  return {
    method: 'GET',
    path: '/v1/operator/audit',
    async answer({ query }) {
      startUnlessClosing(host)
      const { job, limit = usualLimit, cursor } = readQuery(query, parameters)
      const read = needed(host.jobs.auditEntries, 'The job store keeps no audit log')
      const entries = await read({ job, after: cursor, limit: limit + 1 })
      const page = entries.slice(0, limit)
      const last = page.at(-1)
      const next = entries.length > limit && last ? cursorOf([last.at, last.id]) : undefined
      return { json: listObject(page.map(auditEntryObject), next) }
    },
  }
}

function afterIn(text: string): AuditQuery['after'] {
  const place = placeOf(text)
  const [at, id] = Array.isArray(place) ? (place as readonly unknown[]) : []
  return typeof at === 'number' && typeof id === 'string' ? { at, id } : undefined
}
