import type { Log, LogFields } from '@genmount/core'

/** A log that prints nothing and keeps what it is told. All its lists grow as it is told more. */
export interface QuietLog extends Log {
  /** Every warning, in the order in which they came. */
  readonly warnings: readonly string[]
  /** The message of every error, without its fields. */
  readonly errors: readonly string[]
  /** Warnings and errors in their order, with the text of the cause behind the message of an error that has one. */
  readonly lines: readonly string[]
  /** The causes of errors, as they were given: for what must not be in them at any depth. */
  readonly causes: readonly unknown[]
  /** What each line is about, in the order of `lines`; `{}` for a line without fields. */
  readonly fields: readonly LogFields[]
}

/**
 * A log for tests of services and hosts.
 * @example
 * const log = quietLog()
 * const service = createGenerationService({ providers: [fakeProvider()], log })
 * expect(log.errors).toEqual([])
 */
export function quietLog(): QuietLog {
  const warnings: string[] = []
  const errors: string[] = []
  const lines: string[] = []
  const causes: unknown[] = []
  const fields: LogFields[] = []
  return {
    warnings,
    errors,
    lines,
    causes,
    fields,
    warn(message, about = {}) {
      warnings.push(message)
      fields.push(about)
      lines.push(message)
    },
    error(message, about = {}) {
      const { cause } = about
      errors.push(message)
      fields.push(about)
      lines.push(cause === undefined ? message : `${message} ${String(cause)}`)
      if (cause !== undefined) causes.push(cause)
    },
  }
}
