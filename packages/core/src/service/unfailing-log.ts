import type { Log } from '../contracts/log.ts'

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
    warn: (message, fields) => attempt(() => log.warn(message, fields)),
    error: (message, fields) => attempt(() => log.error(message, fields)),
  }
}
