import { errorCodes, type GenerationError } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'

/** The reply to a request refused, in the shape that clients of this field read. */
export function errorReply(
  error: GenerationError,
  requestId: string,
  headers: Record<string, string> = {},
): V1Reply {
  const { code, message, param = null } = error
  const { status, type, retryAfterSeconds }: { status: number; type: string; retryAfterSeconds?: number } =
    errorCodes[code]
  headers['content-type'] = 'application/json'
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  const body = JSON.stringify({ error: { message, type, param, code, request_id: requestId } })
  return { status, headers, body }
}
