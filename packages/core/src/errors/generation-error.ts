import type { ErrorCode } from './error-codes.ts'

export interface GenerationErrorOptions {
  /** The field, query parameter or header at fault. */
  readonly param?: string | undefined
  /** What went wrong underneath. Goes to the log, never to a client. */
  readonly cause?: unknown
}

/**
 * A request refused, with a code from the one table. The message is shown to the client.
 * @example throw new GenerationError('insufficient_quota', 'The monthly budget of this key is used up.')
 */
export class GenerationError extends Error {
  override readonly name = 'GenerationError'
  readonly code: ErrorCode
  readonly param: string | undefined

  constructor(code: ErrorCode, message: string, options: GenerationErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.param = options.param
  }
}
