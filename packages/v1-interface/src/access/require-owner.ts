import { accepts, GenerationError, text } from '@genmount/core'
import type { Identity } from './access-options.ts'
import type { Answer, OwnedExchange, RouteContext } from '../interface/exchange.ts'
import { baseUrlOf } from '../interface/base-url.ts'
import { noteSender } from './sender-of-request.ts'
import { refuseOtherOrigins } from './refuse-other-origins.ts'
import { bearerToken } from './bearer-token.ts'

const checkIdentity = accepts<Identity>(
  '{ owner }, or null for a wrong key',
  (value) => typeof value === 'object',
)
const checkOwner = text('the name of an owner')

/**
 * Identifies the owner of a request before it passes the request to `answer`.
 * @returns an answer that rejects with `missing_api_key`, `invalid_api_key` or `origin_not_allowed` for a request
 * without a valid owner
 */
export function requireOwner({ options, service }: RouteContext, answer: Answer<OwnedExchange>): Answer {
  const needsBearer = options.credentials === 'bearer'

  return async ({ request, path, route, params }) => {
    if (!needsBearer) refuseOtherOrigins(request, options)
    const bearer = bearerToken(request.header('authorization'))
    if (bearer === 'malformed') throw invalidApiKey()
    const token = bearer === 'missing' ? undefined : bearer.token
    if (token === undefined && needsBearer) throw missingApiKey('Send')
    // This always awaits, even without a promise: during that time node:http parses a body that arrived with the
    // headers, which can then be read at once.
    const identity = await options.authenticate(token, request)
    if (!identity) throw token === undefined ? missingApiKey('Sign in, or send') : invalidApiKey()
    const owner = checkOwner(
      'the owner that authenticate returns',
      checkIdentity('what authenticate returns', identity).owner,
    )
    noteSender(request.fromHost, { owner, service })
    const keyId = options.isKeyValid && checkKeyId(identity.keyId)
    return answer({ request, path, route, params, owner, keyId, baseUrl: baseUrlOf(request, options) })
  }
}

function checkKeyId(keyId: unknown): string {
  if (typeof keyId === 'string' && keyId.length > 0 && keyId.length <= 256) return keyId
  throw new Error('authenticate must give a keyId of 1 to 256 characters, because isKeyValid is set.')
}

function invalidApiKey(): GenerationError {
  return new GenerationError('invalid_api_key', 'This API key is not valid.')
}

function missingApiKey(whatToDo: string): GenerationError {
  return new GenerationError(
    'missing_api_key',
    `${whatToDo} your API key as "Authorization: Bearer <API_KEY>".`,
  )
}
