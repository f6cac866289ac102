import { GenerationError, type CallbackRequest } from '@genmount/core'
import { bodyBudgets } from '../body/body-budget.ts'
import { expectedBytes, readBody } from '../body/read-body.ts'
import type { Answer, RouteContext } from '../interface/exchange.ts'
import type { V1Request } from '../interface/v1-request.ts'

/** Vendors' callbacks are small; what is larger is not theirs. */
const maxCallbackBytes = 4 * 1024 * 1024
/** What all callbacks under way may hold together, beside the bodies of requests that bear a key. */
const maxCallbacksBytes = 16 * 1024 * 1024
/** How often the log is told at the most that the interface is mounted where callbacks can't be read. */
const pauseMs = 60_000

/**
 * POST /v1/callbacks/{provider}/{job}/{token}: takes a vendor's callback, which bears no key. Its body is read only when
 * the path is that of a job. Answers before anybody is asked about the news, and says no more than whether the callback
 * was genuine.
 */
export function receiveCallback({ service, options }: RouteContext): Answer {
  const { bodyTimeoutMs } = options
  const maxBodyBytes = Math.min(options.maxBodyBytes, maxCallbackBytes)
  // Those who bear no key are one owner, which may have all of it.
  const budget = bodyBudgets(maxCallbacksBytes, maxCallbacksBytes)('')
  const limits = { maxBodyBytes, bodyTimeoutMs, budget }

  let tellAgainAt = -Infinity

  async function callbackOf(request: V1Request): Promise<CallbackRequest> {
    const expected = expectedBytes(request, maxBodyBytes)
    const body = request.body()
    // A signature is over the bytes, which whoever has parsed the body before us has not kept.
    if ('value' in body) throw parsedBefore()
    const bytes = await readBody(body, { ...limits, expectedBytes: expected }, service.clock, (read) => read)
    return { headers: request.headers(), body: bytes }
  }

  function parsedBefore(): GenerationError {
    const now = service.clock.uptime()
    if (now >= tellAgainAt) {
      tellAgainAt = now + pauseMs
      service.log.error('A callback was parsed before it came to genmount: mount it before express.json().')
    }
    return new GenerationError('unsupported_media_type', 'Callbacks can not be read here.')
  }

  return async ({ request, params }) => {
    const { provider = '', job = '', token = '' } = params
    const address = { provider: decoded(provider), token }
    if (await service.receiveCallback(job, () => callbackOf(request), address))
      return { status: 204, headers: {} }
    throw new GenerationError('route_not_found', 'There is nothing at this path.')
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
