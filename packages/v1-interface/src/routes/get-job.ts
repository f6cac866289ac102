import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'
import { jobReply } from '../wire/job-reply.ts'

/** GET /v1/jobs/{id}: the job as it is now. */
export function getJob({ service }: RouteContext): Answer<OwnedExchange> {
  return async ({ owner, baseUrl, params: { id = '' } }) =>
    jobReply(await service.get(id, owner), 200, baseUrl)
}
