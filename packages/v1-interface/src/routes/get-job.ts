import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
import { jobReply } from '../wire/job-reply.ts'
import { pathId } from '../wire/path-id.ts'

/** GET /v1/jobs/{id}: the job as it is now. */
export function getJob({ service }: RouteContext): Answer<OwnedExchange> {
  return async (exchange) =>
    jobReply(await service.get(pathId(exchange), exchange.owner), 200, exchange.baseUrl)
}
