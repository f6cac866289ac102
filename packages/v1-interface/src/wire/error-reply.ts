import { errorCodes, type ErrorCode, GenerationError } from '@genmount/core'
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
  const requestId = newRequestId()
  headers['x-request-id'] = requestId
  headers['content-type'] = 'application/json'
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds)
  const challenge = challenges[code]
  if (challenge !== undefined) headers['www-authenticate'] = challenge
  const body = JSON.stringify({ error: errorObject(error, requestId) })
  return { status, headers, body }
}

/** What becomes of an error. */
export interface Refused {
  /** What the client hears of it. */
  readonly refusal: GenerationError
  /** What the log needs of it. `undefined` when it is no fault of this service. */
  readonly cause: unknown
}

/**
 * Says what a client hears of an error, and what the log needs of it. While the store is unavailable, every request fails. The log
 * then needs the error itself: it counts `store_unavailable` errors together instead of writing a line for each request.
 */
export function refusalOf(error: unknown): Refused {
  const isRefusal = error instanceof GenerationError && Object.hasOwn(errorCodes, error.code)
  if (!isRefusal)
    return {
      refusal: new GenerationError('internal_error', 'Something went wrong in this service.'),
      cause: error,
    }
  return { refusal: error, cause: error.code === 'store_unavailable' ? error : error.cause }
}

/** The error in the body of a refusal. */
export function errorObject({ code, message, param }: GenerationError, requestId: string) {
  return {
    // An error of the app may quote text of a client or a vendor, which can contain half of a surrogate pair.
    message: message.toWellFormed(),
    type: errorCodes[code].type,
    param: param === undefined ? null : String(param).toWellFormed(),
    code,
    request_id: requestId,
  }
}
