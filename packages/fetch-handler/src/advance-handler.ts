import {
  checkOptions,
  count,
  GenerationError,
  type GenerationService,
  type OptionTable,
  text,
  optional,
  duration,
} from '@genmount/core'
import type { AdvanceMethods } from '@genmount/core/advance'
import { apiKeys, bearerToken, errorReply, refusalOf } from '@genmount/v1-interface'
import type { FetchHandler } from './fetch-handler.ts'

/** The options of `advanceHandler`. */
export interface AdvanceHandlerOptions {
  /**
   * The secret that the caller sends as `Authorization: Bearer <secret>`, as Vercel's cron does with `CRON_SECRET`: at least 16
   * of the characters A-Z a-z 0-9 - . _ ~ + / and =. Compared by its SHA-256, so that the time of the answer reveals nothing.
   */
  readonly secret: string | undefined
  /**
   * For how many milliseconds to take steps. The answer then waits for the steps that are under way, so the time limit of the
   * host must be longer by the `callTimeoutMs` of the providers. @default 20,000
   */
  readonly forMs?: number | undefined
  /** The most jobs to take up in a call. @default no limit */
  readonly limit?: number | undefined
}

const table = {
  secret: text(
    'at least 16 characters of a bearer token, such as process.env.CRON_SECRET',
    /^[\w.~+/-]{16,4096}=*$/,
  ),
  forMs: optional(duration()),
  limit: optional(count()),
} satisfies OptionTable<AdvanceHandlerOptions>

/**
 * Makes a fetch handler that a cron calls, on hosts that run only while a request is answered. It answers GET and POST with
 * `{ "steps": 3, "next_at": "2026-01-01T00:00:05.000Z" }` when no step is under way any more; `next_at` is `null` when no job has
 * a step left. It never rejects.
 * @param service a service with the plugin `advance`
 * @throws TypeError that names the wrong option and says what it accepts
 * @example export const GET = advanceHandler(service, { secret: process.env.CRON_SECRET })
 */
export function advanceHandler(
  service: Pick<GenerationService, 'log' | 'settled'> & AdvanceMethods,
  options: AdvanceHandlerOptions,
): FetchHandler {
  const { secret, ...bounds } = checkOptions('advanceHandler', options, table)
  const authenticate = apiKeys({ cron: secret })

  async function answer(request: Request): Promise<Response> {
    if (request.method !== 'GET' && request.method !== 'POST')
      throw new GenerationError('method_not_allowed', 'Call this with GET or POST.')
    const bearer = bearerToken(request.headers.get('authorization') ?? undefined)
    if (bearer === 'missing')
      throw new GenerationError(
        'missing_api_key',
        'Send the secret of the cron as "Authorization: Bearer <secret>".',
      )
    if (bearer === 'malformed' || !authenticate(bearer.token))
      throw new GenerationError('invalid_api_key', 'This is not the secret of the cron.')
    const { steps, nextAt } = await service.advance(bounds)
    await service.settled()
    return Response.json({ steps, next_at: nextAt === undefined ? null : new Date(nextAt).toISOString() })
  }

  return async (request) => {
    try {
      return await answer(request)
    } catch (error) {
      const { refusal, cause } = refusalOf(error)
      if (cause !== undefined) service.log.error('A call of the cron could not be answered.', { cause })
      const { status, headers, body } = errorReply(refusal)
      return new Response(body as string, { status, headers })
    }
  }
}
