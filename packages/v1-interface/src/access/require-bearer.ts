import { GenerationError } from '@genmount/core'
import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'
import { baseUrlOf } from '../interface/base-url.ts'
import { bearerToken } from './bearer-token.ts'

/**
 * Asks for a valid key before it lets a request reach `answer`.
 * @returns an answer that rejects with `missing_api_key` or `invalid_api_key` for a request without a valid
 * key
 */
export function requireBearer({ options }: RouteContext, answer: Answer<OwnedExchange>): Answer {
  return async ({ request, path, route, params }) => {
    const bearer = bearerToken(request.header('authorization'))
    if (bearer === 'missing') throw missingApiKey()
    const identity = bearer === 'malformed' ? undefined : await options.authenticate(bearer.token, request)
    if (!identity) throw new GenerationError('invalid_api_key', 'This API key is not valid.')
    const { owner } = identity
    if (typeof owner !== 'string' || owner === '') throw new Error('authenticate gave no owner.')
    const keyId = options.isKeyValid && checkKeyId(identity.keyId)
    return answer({ request, path, route, params, owner, keyId, baseUrl: baseUrlOf(request, options) })
  }
}

function checkKeyId(keyId: unknown): string {
  if (typeof keyId === 'string' && keyId.length > 0 && keyId.length <= 256) return keyId
  throw new Error(
    'authenticate must give a keyId of 1 to 256 characters, because the option isKeyValid is set.',
  )
}

function missingApiKey(): GenerationError {
  return new GenerationError('missing_api_key', 'Send your API key as "Authorization: Bearer <API_KEY>".')
}
