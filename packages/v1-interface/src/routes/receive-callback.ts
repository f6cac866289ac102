import { type CallbackMethods, type CallbackRequest, GenerationError } from '@genmount/core'
import { bodyBudgets, expectedBytes, readBody } from '../body/read-body.ts'
import { noSuchRoute } from '../interface/base-url.ts'
import { decodedSegment } from '../interface/path-parts.ts'
import type { Answer } from '../interface/exchange.ts'
import type { RouteContext } from '../interface/route-context.ts'
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
 * Makes what receives the callbacks of vendors, which have no key. The answer is sent before a job is advanced, and says only
 * whether the callback was genuine.
 * @returns `ofJob` answers POST /v1/callbacks/{provider}/{job}/{token}, and reads a body only when the path belongs to a job;
 *   `ofAccount` answers POST /v1/callbacks/{provider}, and reads a body only when that provider takes callbacks there
 */
export function callbackReceivers(
  { service, options }: RouteContext,
  { receiveCallback, receiveAccountCallback }: CallbackMethods,
): { readonly ofJob: Answer; readonly ofAccount: Answer } {
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

  /** @returns the answer to a callback that is genuine, or the error of a path that does not exist */
  function answerTo({ mountPath }: V1Request, isGenuine: boolean) {
    if (isGenuine) return { status: 204, headers: {} }
    // Without the path, which may be a secret but for one letter.
    throw noSuchRoute({ mountPath })
  }

  return {
    async ofJob({ request, params }) {
      const { provider = '', job = '', token = '' } = params
      const address = { provider: decodedSegment(provider) ?? provider, token }
      return answerTo(request, await receiveCallback(job, () => callbackOf(request), address))
    },
    async ofAccount({ request, params: { provider = '' } }) {
      return answerTo(
        request,
        await receiveAccountCallback(decodedSegment(provider) ?? provider, () => callbackOf(request)),
      )
    },
  }
}
