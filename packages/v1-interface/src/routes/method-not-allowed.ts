import { GenerationError } from '@genmount/core'
import type { Answer } from '../interface/exchange.ts'
import { errorReply } from '../wire/error-reply.ts'

/** What a path that serves `method` answers to every other method. */
export function methodNotAllowed(method: 'GET' | 'POST'): Answer {
  const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'
  const error = new GenerationError('method_not_allowed', `This path takes ${allow}.`)

  return async ({ request }) =>
    request.method === 'OPTIONS' ? { status: 204, headers: { allow } } : errorReply(error, { allow })
}
