import { GenerationError } from '@genmount/core'
import type { Exchange, RouteContext } from '../interface/exchange.ts'
import { baseUrlOf } from '../interface/base-url.ts'
import type { V1Reply } from '../interface/v1-request.ts'
import { errorReply } from '../wire/error-reply.ts'
import { bearerToken } from './bearer-token.ts'

/** Lets a request through to the routes behind once its owner is known. */
export function requireBearer({ options }: RouteContext) {
  return async (exchange: Exchange): Promise<V1Reply | undefined> => {
    const { request, requestId } = exchange
    const bearer = bearerToken(request.header('authorization'))
    if (bearer === 'missing') return missingApiKey(requestId)
    const identity = bearer === 'malformed' ? undefined : await options.authenticate(bearer.token, request)
    if (!identity) return invalidApiKey(requestId)
    if (typeof identity.owner !== 'string' || identity.owner === '')
      throw new Error('authenticate gave no owner.')
    exchange.owner = identity.owner
    exchange.baseUrl = baseUrlOf(request, options)
    return undefined
  }
}

function missingApiKey(requestId: string): V1Reply {
  const error = new GenerationError(
    'missing_api_key',
    'Send your API key as "Authorization: Bearer <API_KEY>".',
  )
  return errorReply(error, requestId, { 'www-authenticate': 'Bearer' })
}

function invalidApiKey(requestId: string): V1Reply {
  const error = new GenerationError('invalid_api_key', 'This API key is not valid.')
  return errorReply(error, requestId, { 'www-authenticate': 'Bearer error="invalid_token"' })
}
