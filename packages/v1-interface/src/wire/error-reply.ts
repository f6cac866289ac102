import { type ErrorAnswer, errorCodes, type ErrorCode, type GenerationError } from '@genmount/core'
import type { V1Reply } from '../interface/v1-request.ts'

export function newRequestId(): string {
  return `req_${crypto.randomUUID()}`
}

/** The `WWW-Authenticate` header for a client without a valid key (RFC 6750 section 3). */
const challenges: { readonly [code in ErrorCode]?: string } = {
  missing_api_key: 'Bearer',
  invalid_api_key: 'Bearer error="invalid_token"',
}

/**
 * The reply to a refused request. Its body has the form that clients of other generation APIs already read, and
 * contains the request id.
 * @param status another status for a route that needs one. @default the status in the table of codes
 */
export function errorReply(
  error: GenerationError,
  headers: Record<string, string> = {},
  status = errorCodes[error.code].status,
): V1Reply {
  const { code, retryAfterSeconds = errorCodes[code].retryAfterSeconds } = error
  // An error of the app may quote text of a client or a vendor, which can contain half of a surrogate pair.
  const message = error.message.toWellFormed()
  const param = error.param === undefined ? null : String(error.param).toWellFormed()
  const { type }: ErrorAnswer = errorCodes[code]
  const requestId = newRequestId()
  headers['x-request-id'] = requestId
  headers['content-type'] = 'application/json'
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  const challenge = challenges[code]
  if (challenge !== undefined) headers['www-authenticate'] = challenge
  const body = JSON.stringify({ error: { message, type, param, code, request_id: requestId } })
  return { status, headers, body }
}
