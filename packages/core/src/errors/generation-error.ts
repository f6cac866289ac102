import type { ErrorCode } from './error-codes.ts'

/** What a {@link GenerationError} says besides its code and message. */
export interface GenerationErrorOptions {
  /** The name of the field, query parameter or header that is wrong. Shown to the client. @default none */
  readonly param?: string | undefined
  /** In how many seconds the same request may be accepted: the `Retry-After` header. @default by the code */
  readonly retryAfterSeconds?: number | undefined
  /** The error that led to this one. Goes to the log, never to a client. @default none */
  readonly cause?: unknown
}

/**
 * Refuses a request. Its code decides the HTTP status, and its message is shown to the client.
 * @example throw new GenerationError('insufficient_quota', 'The monthly budget of this key is used up.')
 */
export class GenerationError extends Error {
  /** Always `GenerationError`. */
  override readonly name = 'GenerationError'
  /** Why the request was refused. {@link errorCodes} has the HTTP status of each code. */
  readonly code: ErrorCode
  /** The name of the field, query parameter or header that is wrong. */
  readonly param: string | undefined
  /** In how many seconds the same request may be accepted. `undefined` when that goes by the code, or is not known. */
  readonly retryAfterSeconds: number | undefined

  /** @param message what went wrong, in words for the client */
  constructor(code: ErrorCode, message: string, options: GenerationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** The error for every failed call of the job store. @param cause the error of the store, for the log only */
export function storeUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The job store does not answer. Try again later.', {
    cause,
  })
}

/**
 * Throws the error of a failed read of the job store for the client.
 * @param fault the error. A `GenerationError`, and a `TypeError` that names a wrong option, stay as they are
 */
export function throwUnavailable(fault: unknown): never {
  throw fault instanceof GenerationError || fault instanceof TypeError ? fault : storeUnavailable(fault)
}

/** The error for every failed call of the file store. @param cause the error of the store, for the log only */
export function filesUnavailable(cause: unknown): GenerationError {
  return new GenerationError('store_unavailable', 'The file store can not be reached. Try again.', { cause })
}

/**
 * The error by which a job store refuses a job that it can't keep as it is. Unlike a fault of the store, the same write
 * would fail again.
 * @param why what is wrong with the job, for the log only
 */
export function malformedJob(id: string, why: string, cause?: unknown): GenerationError {
  const fault = new TypeError(`Job ${id} is malformed: ${why}.`, cause === undefined ? undefined : { cause })
  return new GenerationError('internal_error', 'The job store does not take the job.', { cause: fault })
}

/** Whether the error is one of {@link malformedJob}. */
export function isMalformedJob(fault: unknown): fault is GenerationError {
  return fault instanceof GenerationError && fault.code === 'internal_error'
}
