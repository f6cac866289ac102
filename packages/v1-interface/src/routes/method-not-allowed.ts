import { GenerationError } from '@genmount/core'
import type { Answer } from '../interface/exchange.ts'
import { errorReply } from '../wire/error-reply.ts'

/**
 * Answers the requests whose method a path does not serve: OPTIONS with the methods that it serves, all others with
 * 405.
 */
export function methodNotAllowed(methods: readonly string[]): Answer {
  const allow = [...methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)), 'OPTIONS'].join(', ')
  const error = new GenerationError('method_not_allowed', `This path accepts ${allow}.`)

  return async ({ request }) =>
    request.method === 'OPTIONS' ? { status: 204, headers: { allow } } : errorReply(error, { allow })
}
