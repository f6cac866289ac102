import { cursorOf, limitTo, type PluginHost, type PluginRoute, readQuery } from '@genmount/core'
import { needed, startUnlessClosing } from '../plugin/service-of.ts'
import { auditEntryObject } from '../wire/audit-entry-object.ts'
import { listObject } from '../wire/list-object.ts'
import { placeCursor, instantAndIdIn, textUpTo, usualLimit } from '../wire/read-query.ts'

const parameters = {
  job: textUpTo(1000, 'the id of a job'),
  limit: limitTo(100),
  cursor: placeCursor(instantAndIdIn),
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
      const after = cursor && { at: cursor[0], id: cursor[1] }
      const entries = await read({ job, after, limit: limit + 1 })
      const page = entries.slice(0, limit)
      const last = page.at(-1)
      const next = entries.length > limit && last ? cursorOf([last.at, last.id]) : undefined
      return { json: listObject(page.map(auditEntryObject), next) }
    },
  }
}
