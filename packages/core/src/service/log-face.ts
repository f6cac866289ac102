import type { Log, LogFields } from '../contracts/log.ts'

type Level = keyof Log

/** The functions by which the kind of a logger is recognised. */
interface Face {
  readonly child?: unknown
  readonly bindings?: unknown
  readonly groupEnd?: unknown
}

const deepestCause = 5

/**
 * Wraps the log of the app so that a line reaches pino, winston and a console whole, in the form that each of them
 * expects. Fields without a value are left out, and so is an object without fields.
 */
export function logFace(log: Log): Log {
  const { child, bindings, groupEnd } = log as Log & Face
  const isPino = typeof child === 'function' && typeof bindings === 'function'
  const isConsole = typeof groupEnd === 'function'

  function write(level: Level, message: string, { cause, ...about }: LogFields = {}): void {
    const present = Object.entries(about).filter(([, value]) => value !== undefined)
    const fields: LogFields = Object.fromEntries(present)
    if (isPino) {
      const first = cause === undefined ? fields : { ...fields, err: cause }
      const lead = log[level] as unknown as (fields: object, message: string) => void
      return lead.call(log, first, message)
    }
    const stack = isConsole ? undefined : stackOf(cause)
    const whole = { ...fields, ...(cause !== undefined && { cause }), ...(stack !== undefined && { stack }) }
    if (Object.keys(whole).length === 0) return log[level]?.(message)
    log[level]?.(withoutDirectives(message), whole)
  }

  return {
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => write('warn', message, fields),
    error: (message, fields) => write('error', message, fields),
  }
}

/**
 * Puts a space behind each % that begins a directive such as `%s`. A console and winston would replace the directive by
 * the fields, or drop the fields. Messages contain words of vendors, so any directive may appear.
 */
function withoutDirectives(message: string): string {
  return message.replaceAll(/%(?=[a-z%])/gi, '% ')
}

function stackOf(cause: unknown): string | undefined {
  const stacks: string[] = []
  for (let error = cause; error instanceof Error && stacks.length < deepestCause; error = error.cause)
    stacks.push(error.stack ?? String(error))
  return stacks.length === 0 ? undefined : stacks.join('\nCaused by: ')
}

/**
 * Wraps a log so that it never throws: no job and no answer may fail because a line could not be written to the log.
 */
export function unfailingLog(log: Log): Log {
  function attempt(report: () => void): void {
    try {
      report()
    } catch {
      // Ignored: there is no other place to report it.
    }
  }
  return {
    info: (message, fields) => attempt(() => log.info?.(message, fields)),
    warn: (message, fields) => attempt(() => log.warn(message, fields)),
    error: (message, fields) => attempt(() => log.error(message, fields)),
  }
}
