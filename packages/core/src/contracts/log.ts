/**
 * What a log line is about, for programs that read the log. A field that does not apply is left out. No field contains
 * an input, an output, or a credential of a provider.
 */
export interface LogFields {
  /** The id of the job. */
  readonly job?: string | undefined
  /** The owner of the job, in at most 1,000 characters. */
  readonly owner?: string | undefined
  /** The id of the model in the client's request. */
  readonly model?: string | undefined
  /** The name of the provider. */
  readonly provider?: string | undefined
  /** The name of the route by which the job was submitted. Absent for a model with one provider. */
  readonly route?: string | undefined
  /** The provider's handle as JSON, by which the task can be found at the vendor. */
  readonly task?: string | undefined
  /** Why the job failed: a {@link JobFailure}. */
  readonly code?: string | undefined
  /** The HTTP status of the vendor's answer. */
  readonly status?: number | undefined
  /** What the job is known to have cost, in US dollars. */
  readonly costUsd?: number | undefined
  /** How many lines of the same kind were left out since the last one. */
  readonly leftOut?: number | undefined
  /** The `x-request-id` of the request. */
  readonly request?: string | undefined
  /** The error that led to this. A log that has pino's functions `child` and `bindings` gets it as `err`. */
  readonly cause?: unknown
  /**
   * The stack of `cause`, followed by those of its own causes, because an Error is `{}` in JSON. Absent for a console
   * and for pino, which print the stack of an Error themselves.
   */
  readonly stack?: string | undefined
  /** Never set, so that an Error in place of the fields does not compile. Pass an Error as `cause`. */
  readonly message?: never
}

/**
 * Receives what the service reports to its operator and not to its clients. `console`, a pino logger and a winston
 * logger can be given as they are. A log that has pino's functions `child` and `bindings` is called with the fields
 * first, as pino wants; every other log as it is declared here.
 */
export interface Log {
  /**
   * Something went as it should that an operator may want to follow, such as the route of a job whose model has an `order`.
   * @default such lines are not written
   */
  info?(message: string, fields?: LogFields): void
  /**
   * Something went wrong, and the service deals with it.
   * @param fields what the line is about. @default the line is about no job or provider
   */
  warn(message: string, fields?: LogFields): void
  /**
   * Something went wrong that the operator should look at.
   * @param fields what the line is about. @default the line is about no job or provider
   */
  error(message: string, fields?: LogFields): void
}
