import { GenerationError } from '@genmount/core'
import type { Exchange, RouteContext } from '../interface/exchange.ts'
import { baseUrlOf } from '../interface/base-url.ts'
import { bearerToken } from './bearer-token.ts'

/** Lets a request through to the routes behind once its owner is known. */
export function requireBearer({ options }: RouteContext) {
  return async (exchange: Exchange): Promise<void> => {
    const { request } = exchange
    const bearer = bearerToken(request.header('authorization'))
    if (bearer === 'missing') throw missingApiKey()
    const identity = bearer === 'malformed' ? undefined : await options.authenticate(bearer.token, request)
    if (!identity) throw new GenerationError('invalid_api_key', 'This API key is not valid.')
    const { owner } = identity
    if (typeof owner !== 'string' || owner === '') throw new Error('authenticate gave no owner.')
    exchange.owner = owner
    exchange.baseUrl = baseUrlOf(request, options)
  }
}

function missingApiKey(): GenerationError {
  return new GenerationError('missing_api_key', 'Send your API key as "Authorization: Bearer <API_KEY>".')
}
