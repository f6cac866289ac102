import { isFinished } from '@genmount/core'
import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'
import { jobReply } from '../wire/job-reply.ts'

/**
 * POST /v1/jobs/{id}/cancel, beyond the base interface: 200 with the job when it has ended, 202 while its provider has
 * not ended the task yet. The body is not read.
 */
export function cancelJob({ service }: RouteContext): Answer<OwnedExchange> {
  return async ({ owner, baseUrl, params: { id = '' } }) => {
    const job = await service.cancel(id, owner)
    return jobReply(job, isFinished(job) ? 200 : 202, baseUrl)
  }
}
