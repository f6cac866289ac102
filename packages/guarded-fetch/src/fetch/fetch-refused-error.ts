/**
 * Why a URL was not fetched. `bad_url`, `scheme`, `port` and `address`: the URL is not allowed. `too_many_redirects`,
 * `status`, `content_type`, `content_encoding` and `too_large`: the answer is not accepted. `timeout` and `network`:
 * the transfer did not finish, and may succeed later.
 */
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

/** The properties of a `FetchRefusedError` besides its reason and message. */
export interface FetchRefusedDetails {
  /** The HTTP status, when the reason is `status`. @default none */
  readonly status?: number
  /** The error that led to this one. @default none */
  readonly cause?: unknown
}

/**
 * A URL was not fetched, or not completely. This is an error and not a value, because a body can still be refused while
 * it is being read, and a stream can report that only as an error. The message may be shown to the person who gave the
 * URL: it names the origin and what would be accepted. It never contains the user info, path or query of the URL, nor
 * the IP address of a host name.
 */
export class FetchRefusedError extends Error {
  /** Identifies this error if two copies of the package are installed and `instanceof` fails. */
  override readonly name = 'FetchRefusedError'
  /** Why the URL was not fetched. */
  readonly reason: FetchRefusedReason
  /** The HTTP status, when `reason` is `status`. */
  readonly status: number | undefined
  /** Whether the same URL may succeed later. True for `network`, `timeout`, and the statuses 408, 429 and 5xx. */
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
  return new FetchRefusedError(
    'too_large',
    `${origin} sent too much: at most ${maxBytes} bytes are accepted.`,
  )
}
