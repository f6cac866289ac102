import { GenerationError } from '@genmount/core'
import type { Answer, RouteContext } from '../interface/exchange.ts'
import { baseUrlOf } from '../interface/base-url.ts'
import { bearerToken } from './bearer-token.ts'

/** Lets a request through to the answer behind once its owner is known. */
export function requireBearer({ options }: RouteContext, answer: Answer): Answer {
  return async (exchange) => {
    const { request } = exchange
    const bearer = bearerToken(request.header('authorization'))
    if (bearer === 'missing') throw missingApiKey()
    const identity = bearer === 'malformed' ? undefined : await options.authenticate(bearer.token, request)
    if (!identity) throw new GenerationError('invalid_api_key', 'This API key is not valid.')
    const { owner } = identity
    if (typeof owner !== 'string' || owner === '') throw new Error('authenticate gave no owner.')
    exchange.owner = owner
    if (options.isKeyValid) exchange.keyId = checkKeyId(identity.keyId)
    exchange.baseUrl = baseUrlOf(request, options)
    return answer(exchange)
  }
}

function checkKeyId(keyId: unknown): string {
  if (typeof keyId === 'string' && keyId.length > 0 && keyId.length <= 256) return keyId
  throw new Error('authenticate gave no keyId of 1 to 256 characters, which isKeyValid needs.')
}

function missingApiKey(): GenerationError {
  return new GenerationError('missing_api_key', 'Send your API key as "Authorization: Bearer <API_KEY>".')
}
