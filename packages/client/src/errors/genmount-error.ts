import type { Job } from '../wire/job.ts'
import type { GenmountErrorCode } from './error-code.ts'

/** The properties of an error besides its code and message. */
export interface ErrorDetails {
  /** The HTTP status of the answer. @default there was no answer */
  readonly status?: number | undefined
  /** The id of the request in the service's log. @default not known */
  readonly requestId?: string | undefined
  /** The field, parameter or header that is wrong. @default not known */
  readonly param?: string | undefined
  /** How long the service asks the client to wait before the next request, in milliseconds. @default not given */
  readonly retryAfterMs?: number | undefined
  /** The job that the error is about. @default not known */
  readonly job?: Job | undefined
  /** The error that caused this one. @default none */
  readonly cause?: unknown
}

/** The error of a call that has failed. It never contains the API key. */
export class GenmountError extends Error {
  /** Always `GenmountError`. */
  override readonly name = 'GenmountError'
  /** What went wrong: an error code of the service, of a failed job, or of the client. */
  declare readonly code: GenmountErrorCode
  /** The HTTP status of the answer. `undefined` when there was no answer, and for a failed job. */
  declare readonly status: number | undefined
  /** The id of the request in the service's log. */
  declare readonly requestId: string | undefined
  /** The field, parameter or header that is wrong. */
  declare readonly param: string | undefined
  /** How long the service asks the client to wait before the next request, in milliseconds. */
  declare readonly retryAfterMs: number | undefined
  /**
   * The failed job. If the client stopped following a job early, this is the last known state, which can be given to
   * `client.wait(job)`.
   */
  declare readonly job: Job | undefined

  constructor(code: GenmountErrorCode, message: string, { cause, ...details }: ErrorDetails = {}) {
    super(message, { cause })
    Object.assign(this, { code, ...details })
  }
}

/** The error of a call whose signal has aborted. Its `cause` is the signal's reason. */
export function abortedError(signal: AbortSignal): GenmountError {
  return new GenmountError('aborted', 'The call was aborted.', { cause: signal.reason })
}

/** The error of a failed job, with the code and the text of the job's `error`. */
export function failedJobError(job: Job): GenmountError {
  const [, code = 'provider_failed', text] = /^(\w+): (.*)$/s.exec(job.error ?? '') ?? []
  return new GenmountError(code, text ?? job.error ?? 'The job has failed.', { job })
}
