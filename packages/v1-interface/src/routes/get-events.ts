import { isFinished } from '@genmount/core'
import { JobEventSource } from '../events/job-event-source.ts'
import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import { stateId } from '../wire/event-text.ts'

/**
 * GET /v1/jobs/{id}/events, beyond the base interface: streams the changes of the job as server-sent events, until it
 * has finished. 204 for a client that has already received the last event: browsers do not connect again after a 204.
 */
export function getEvents({ service }: RouteContext): Answer<OwnedExchange> {
  return async (exchange) => {
    const { request, owner, baseUrl, params } = exchange
    const { id = '' } = params
    const seenId = request.header('last-event-id')
    if (request.method === 'HEAD') {
      const job = await service.get(id, owner)
      return isFinished(job) && stateId(job) === seenId ? { status: 204, headers: {} } : eventReply()
    }
    const source = new JobEventSource(service.clock, baseUrl, seenId)
    source.endWatch = await service.watch(id, owner, source)
    if (source.hasNothingToTell) return { status: 204, headers: {} }
    request.onLeave?.(() => source.cancel())
    return eventReply(source)
  }
}

function eventReply(body?: V1Reply['body']): V1Reply {
  const headers = {
    'content-type': 'text/event-stream',
    // Middlewares and proxies that compress would hold events back. `no-transform` forbids them to compress.
    'cache-control': 'no-store, no-transform',
    // nginx holds answers back until its buffer is full, unless this header is set.
    'x-accel-buffering': 'no',
  }
  return body === undefined ? { status: 200, headers } : { status: 200, headers, body }
}
