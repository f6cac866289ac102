import type { Log } from '../contracts/log.ts'

/** The same log, which never throws: what can't be reported must cost nobody a job or an answer. */
export function unfailingLog(log: Log): Log {
  function attempt(report: () => void): void {
    try {
      report()
    } catch {
      // There is nobody left to tell.
    }
  }
  return {
    warn: (message) => attempt(() => log.warn(message)),
    // Not `undefined` for a cause that is not there, which `console` would print.
    error: (message, ...cause) => attempt(() => log.error(message, ...cause)),
  }
}
