import type { ErrorCode } from './error-codes.ts'

/** What a {@link GenerationError} says besides its code and message. */
export interface GenerationErrorOptions {
  /** The name of the field, query parameter or header that is wrong. Shown to the client. @default none */
  readonly param?: string | undefined
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

  /** @param message what went wrong, in words for the client */
  constructor(code: ErrorCode, message: string, options: GenerationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param
  }
}
