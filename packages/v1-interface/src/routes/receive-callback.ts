import { type CallbackMethods, type CallbackRequest, GenerationError } from '@genmount/core'
import { bodyBudgets, expectedBytes, readBody } from '../body/read-body.ts'
import { noSuchRoute } from '../interface/base-url.ts'
import type { Answer, RouteContext } from '../interface/exchange.ts'
import type { V1Request } from '../interface/v1-request.ts'

/**
 * The largest body of a callback, in bytes. Vendors send far less, so a larger body does not come from a
 * vendor.
 */
const maxCallbackBytes = 4 * 1024 * 1024
/**
 * How many bytes all callbacks may hold in memory together. The option `maxBodiesBytes` does not count them.
 */
const maxCallbacksBytes = 16 * 1024 * 1024
/**
 * The shortest time between two log lines, in milliseconds, which warn that the app parses callbacks before they reach
 * genmount.
 */
const pauseMs = 60_000

/**
 * POST /v1/callbacks/{provider}/{job}/{token}: receives the callback of a vendor, which has no key. Its body is read
 * only when the path belongs to a job. The answer is sent before the job is advanced, and says only whether the
 * callback was genuine.
 */
export function receiveCallback(
  { service, options }: RouteContext,
  receive: CallbackMethods['receiveCallback'],
): Answer {
  const { bodyTimeoutMs } = options
  const maxBodyBytes = Math.min(options.maxBodyBytes, maxCallbackBytes)
  // All callbacks count as one owner with an empty name, because they have no key. This owner may use the whole budget.
  const budget = bodyBudgets(maxCallbacksBytes, maxCallbacksBytes)('')
  const limits = { maxBodyBytes, bodyTimeoutMs, budget }

  let tellAgainAt = -Infinity

  async function callbackOf(request: V1Request): Promise<CallbackRequest> {
    const expected = expectedBytes(request, maxBodyBytes)
    const body = request.body()
    // A signature covers the bytes of the body, and an app that has parsed the body has not kept them.
    if ('value' in body) throw parsedBefore()
    const { bytes, letGo } = await readBody(body, { ...limits, expectedBytes: expected }, service.clock)
    letGo()
    return { headers: request.headers(), body: bytes }
  }

  function parsedBefore(): GenerationError {
    const now = service.clock.uptime()
    if (now >= tellAgainAt) {
      tellAgainAt = now + pauseMs
      service.log.error('The app has read this body already. Mount genmount before express.json().')
    }
    return new GenerationError('unsupported_media_type', 'Callbacks can not be read here.')
  }

  return async ({ request, params }) => {
    const { provider = '', job = '', token = '' } = params
    const address = { provider: decoded(provider), token }
    if (await receive(job, () => callbackOf(request), address)) return { status: 204, headers: {} }
    // Without the path, which may be a secret but for one letter.
    throw noSuchRoute({ mountPath: request.mountPath })
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
