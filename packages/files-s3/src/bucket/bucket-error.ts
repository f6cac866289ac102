/** Why a request to the bucket failed. */
export interface BucketError extends Error {
  /** The server's error code, such as `NoSuchBucket`; `undefined` when there was no answer. */
  readonly code: string | undefined
  /** Whether the same request may succeed a moment later. */
  readonly isPassing: boolean
}

const wrongRegion = 'the bucket is not in the region of the option region'
const wrongToken = 'the session token of the credentials is wrong or has expired'
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    InvalidAccessKeyId: 'the server does not know this access key',
    SignatureDoesNotMatch: 'the secret access key does not belong to the access key',
    RequestTimeTooSkewed: 'the clock of this machine is wrong by more than 15 minutes',
    NoSuchBucket: 'there is no such bucket',
    AuthorizationHeaderMalformed: wrongRegion,
    PermanentRedirect: wrongRegion,
    TemporaryRedirect: wrongRegion,
    IllegalLocationConstraintException: wrongRegion,
    ExpiredToken: wrongToken,
    InvalidToken: wrongToken,
    SlowDown: 'the server asks for fewer requests',
  }),
)

/** Codes with a status below 500 after which the same request may succeed. Each try gets new credentials. */
const passingCodes = ['RequestTimeout', 'ExpiredToken', 'OperationAborted']
const isPassingStatus = (status: number) => status === 429 || (status >= 500 && status !== 501)

/** A failed answer of the server. */
export interface Refusal {
  readonly status: number
  /** The body of the answer. */
  readonly text: string
  /** The right that the request needs, such as `s3:PutObject`. */
  readonly right: string
}

/**
 * Makes an error of an answer. Its message contains the server's code and nothing else from the answer, because after a
 * wrong signature S3 sends the signed text back, which contains the session token.
 */
export function refusalError(bucket: string, { status, text, right }: Refusal): BucketError {
  const code = elementOf(text, 'Code')?.match(/^\w+$/)?.[0] ?? codeOf(status)
  const reason = code === 'AccessDenied' ? `the access key lacks the right ${right}` : reasons.get(code)
  const isPassing = isPassingStatus(status) || passingCodes.includes(code) || status < 300
  const words = reason ?? `the server has answered ${status}`
  return bucketError(bucket, `${words} (${code})`, { code, isPassing })
}

/** Makes an error of a request that got no answer. */
export function connectionError(bucket: string, cause: unknown): BucketError {
  const {
    cause: root,
    code,
    message,
  } = cause as { cause?: { code?: unknown }; code?: unknown; message?: unknown }
  // The code of a DOMException, such as that of a time limit, is a number without meaning for the operator.
  const reason = [root?.code, code, message].find((each) => typeof each === 'string') ?? 'unknown'
  return bucketError(
    bucket,
    `the server can't be reached (${String(reason)})`,
    { code: undefined, isPassing: true },
    cause,
  )
}

/** The text of the first XML element with this name. Codes, ids and ETags have no entities but `&quot;`. */
export function elementOf(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
}

function bucketError(
  bucket: string,
  reason: string,
  fields: Pick<BucketError, 'code' | 'isPassing'>,
  cause?: unknown,
): BucketError {
  return Object.assign(new Error(`Files in bucket ${bucket}: ${reason}.`, { cause }), fields)
}

/** An error code for the status of a HEAD, whose answer has no body and so no code. */
function codeOf(status: number): string {
  if (status === 301) return 'PermanentRedirect'
  if (status === 307) return 'TemporaryRedirect'
  if (status === 404) return 'NoSuchKey'
  return status === 403 ? 'AccessDenied' : `status ${status}`
}
