import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { jsonReply } from '../wire/json-reply.ts'
import { listCursor } from '../wire/list-cursor.ts'
import { listQuery } from '../wire/list-query.ts'
import { jobText } from '../wire/job-reply.ts'

/** GET /v1/jobs, beyond the base interface: the owner's jobs as they are stored, the newest first, in pages. */
export function listJobs({ service }: RouteContext): Answer<OwnedExchange> {
  return async ({ request, owner, baseUrl }) => {
    const { jobs, next } = await service.list({ owner, ...listQuery(request.path) })
    const data = jobs.map((job) => jobText(job, baseUrl))
    const cursor = next === undefined ? null : listCursor(next)
    const end = JSON.stringify({ has_more: cursor !== null, next_cursor: cursor })
    return jsonReply(`{"object":"list","data":[${data.join(',')}],${end.slice(1)}`)
  }
}
