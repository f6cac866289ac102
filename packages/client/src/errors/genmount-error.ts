import type { Job } from '../wire/job.ts'
import type { GenmountErrorCode } from './error-code.ts'

/** What an error knows beside its code and message. */
export interface ErrorDetails {
  /** The HTTP status of the answer. @default there was no answer */
  readonly status?: number | undefined
  /** The id under which the service's log has the request. @default not known */
  readonly requestId?: string | undefined
  /** The field, parameter or header that is wrong. @default none */
  readonly param?: string | undefined
  /** After how many milliseconds the service wants to be asked again. @default it does not say */
  readonly retryAfterMs?: number | undefined
  /** The job that is meant. @default none is known */
  readonly job?: Job | undefined
  /** What was thrown below. @default nothing */
  readonly cause?: unknown
}

/** The one error of the client. It has no API key in it. */
export class GenmountError extends Error {
  /** Always `GenmountError`. */
  override readonly name = 'GenmountError'
  /** What went wrong: a code of the service, of a failed job, or of the client. */
  readonly code: GenmountErrorCode
  /** The HTTP status of the answer. `undefined` when there was none, and for a failed job. */
  declare readonly status: number | undefined
  /** The id under which the service's log has the request. */
  declare readonly requestId: string | undefined
  /** The field, parameter or header that is wrong. */
  declare readonly param: string | undefined
  /** After how many milliseconds the service wants to be asked again. */
  declare readonly retryAfterMs: number | undefined
  /** The failed job; or, where following it has ended early, the job as it was last known, for `client.wait(job)`. */
  declare readonly job: Job | undefined

  constructor(code: GenmountErrorCode, message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, { cause })
    this.code = code
    Object.assign(this, details)
  }
}

/** The error of a call whose signal has aborted. Its `cause` is the signal's reason. */
export function abortedError(signal: AbortSignal): GenmountError {
  return new GenmountError('aborted', 'The call was aborted.', { cause: signal.reason })
}

/** The error of a job that has failed, with the code and the text of its `error`. */
export function failedJobError(job: Job): GenmountError {
  const [, code = 'provider_failed', text] = /^(\w+): (.*)$/s.exec(job.error ?? '') ?? []
  return new GenmountError(code, text ?? job.error ?? 'The job has failed.', { job })
}
