import { GenerationError } from '@genmount/core'
import { readBytes, tooLarge } from '../body/read-body.ts'
import type { Answer, RouteContext } from '../interface/exchange.ts'

/** Vendors' callbacks are small; what is larger is not theirs. */
const maxCallbackBytes = 4 * 1024 * 1024

/**
 * POST /v1/callbacks/{provider}/{job}/{token}: takes a vendor's callback, which bears no key. Answers before anybody
 * is asked about the news, and says no more than whether the callback was genuine.
 */
export function receiveCallback({ service, options }: RouteContext): Answer {
  const limits = { ...options, maxBodyBytes: Math.min(options.maxBodyBytes, maxCallbackBytes) }

  return async ({ request, params }) => {
    if (Number(request.header('content-length') ?? 0) > limits.maxBodyBytes)
      throw tooLarge(limits.maxBodyBytes)
    const body = request.body()
    // A signature is over the bytes, which whoever has parsed the body before us has not kept.
    if ('value' in body)
      throw new Error('A callback was parsed before it came to genmount: mount it before express.json().')
    const callback = { headers: request.headers(), body: await readBytes(body, limits, service.clock) }
    const { provider = '', job = '', token = '' } = params
    const address = { provider: decoded(provider), token }
    if (await service.receiveCallback(job, callback, address)) return { status: 204, headers: {} }
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
