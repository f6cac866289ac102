/** Why there is no answer. The first group lies in the request, the second in the answer, the third may pass. */
export type FetchRefusedReason =
  | 'bad_url'
  | 'scheme'
  | 'port'
  | 'address'
  | 'too_many_redirects'
  | 'status'
  | 'content_type'
  | 'content_encoding'
  | 'too_large'
  | 'timeout'
  | 'network'

export interface FetchRefusedDetails {
  readonly status?: number
  readonly cause?: unknown
}

/**
 * A URL that was not fetched, or not to its end. An error and not a value, because a body can still be refused while it
 * is being read, where nothing but an error comes through. The message may be shown to whoever gave the URL: it names
 * the origin and what would be accepted, never user info, path, query, or the address that a name resolved to.
 */
export class FetchRefusedError extends Error {
  override readonly name = 'FetchRefusedError'
  readonly reason: FetchRefusedReason
  /** The HTTP status, when `reason` is `status`. */
  readonly status: number | undefined
  /** Whether the same URL may well succeed later: `network`, `timeout`, and the statuses 408, 429 and 5xx. */
  readonly retryable: boolean

  constructor(reason: FetchRefusedReason, message: string, details: FetchRefusedDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.reason = reason
    this.status = details.status
    this.retryable = reason === 'network' || reason === 'timeout' || isPassingStatus(details.status)
  }
}

function isPassingStatus(status: number | undefined): boolean {
  return status !== undefined && (status === 408 || status === 429 || status >= 500)
}

export function networkRefusal({ origin }: URL, error: unknown): FetchRefusedError {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return new FetchRefusedError(
    'network',
    `${origin} could not be reached, or the transfer broke off${code}.`,
    {
      cause: error,
    },
  )
}

export function sizeRefusal({ origin }: URL, maxBytes: number): FetchRefusedError {
  return new FetchRefusedError('too_large', `${origin} sent too much: at most ${maxBytes} bytes are taken.`)
}
