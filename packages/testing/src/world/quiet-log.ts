import type { Log, LogFields } from '@genmount/core'

/** A log that prints nothing and keeps its lines. The same lists are filled during the whole test. */
export interface QuietLog extends Log {
  /** Every warning, in order. */
  readonly warnings: readonly string[]
  /** The message of every error, without its fields. */
  readonly errors: readonly string[]
  /** All lines in order. An error with a cause has the cause's text behind its message. */
  readonly lines: readonly string[]
  /** The causes of errors, unchanged, to check that they contain no secret at any depth. */
  readonly causes: readonly unknown[]
  /** The fields of each line, in the order of `lines`; `{}` for a line without fields. */
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
    info(message, about = {}) {
      fields.push(about)
      lines.push(message)
    },
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
