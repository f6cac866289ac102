import { GenerationError, type GenerationService, type RequestQuota } from '@genmount/core'
import type { Answer, OwnedExchange } from '../interface/exchange.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import { errorReply } from '../wire/error-reply.ts'

/**
 * Counts the requests of each owner before they reach the answer. Once an owner has sent too many, the answer is 429
 * `rate_limit_exceeded`, and no body is read. Every reply has headers with the number of requests that are left.
 * @param refuse the reply to a request that has failed with this error
 * @returns the answer with its count; the same answer when the service does not limit requests
 */
export function countRequests(
  { countRequest }: GenerationService,
  refuse: (error: unknown) => V1Reply,
): (answer: Answer<OwnedExchange>) => Answer<OwnedExchange> {
  if (!countRequest) return (answer) => answer
  return (answer) => async (exchange) => {
    const quota = await countRequest(exchange.owner)
    if (!quota) return answer(exchange)
    if (quota.isExceeded) return tooMany(quota)
    return answer(exchange).then(
      (reply) => marked(reply, quota),
      (error: unknown) => marked(refuse(error), quota),
    )
  }
}

function tooMany(quota: RequestQuota): V1Reply {
  const { limit, moreInSeconds } = quota
  const message = `You may send ${limit} requests per minute. Try again in ${moreInSeconds} s.`
  const reply = errorReply(new GenerationError('rate_limit_exceeded', message))
  reply.headers['retry-after'] = String(moreInSeconds)
  return marked(reply, quota)
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-10 (27 September 2025). A redirect has no such fields, because a
 * client might wait before it follows the redirect, although the target does not count here (section 5 of the draft).
 */
function marked(reply: V1Reply, { limit, remaining, moreInSeconds }: RequestQuota): V1Reply {
  if (reply.status >= 300 && reply.status < 400) return reply
  reply.headers['ratelimit'] = `"requests";r=${remaining};t=${moreInSeconds}`
  reply.headers['ratelimit-policy'] = `"requests";q=${limit};w=60`
  return reply
}
