import { errorCodes, type ErrorCode, type GenerationError } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'

export function newRequestId(): string {
  return `req_${crypto.randomUUID()}`
}

/** What a client without a valid key is asked for (RFC 6750 section 3). */
const challenges: { readonly [code in ErrorCode]?: string } = {
  missing_api_key: 'Bearer',
  invalid_api_key: 'Bearer error="invalid_token"',
}

/** The reply to a request refused, in the shape that clients of this field read, which has its request id in it too. */
export function errorReply(error: GenerationError, headers: Record<string, string> = {}): V1Reply {
  const { code } = error
  // The app's own refusals may repeat what a client or a vendor has said.
  const message = error.message.toWellFormed()
  const param = error.param === undefined ? null : String(error.param).toWellFormed()
  const { status, type, retryAfterSeconds }: { status: number; type: string; retryAfterSeconds?: number } =
    errorCodes[code]
  const requestId = newRequestId()
  headers['x-request-id'] = requestId
  headers['content-type'] = 'application/json'
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  const challenge = challenges[code]
  if (challenge !== undefined) headers['www-authenticate'] = challenge
  const body = JSON.stringify({ error: { message, type, param, code, request_id: requestId } })
  return { status, headers, body }
}
