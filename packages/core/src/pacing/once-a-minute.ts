import type { Clock } from '../contracts/clock.ts'
import type { Log, LogFields } from '../contracts/log.ts'
import { isMalformedJob, GenerationError } from '../errors/generation-error.ts'
import { lastUsed } from '../lists/last-used.ts'
import { shortText } from '../text/short-text.ts'

const pauseMs = 60_000
const maxKinds = 100

/** An event that is to be logged. */
interface Occurrence {
  /** Whether this is the first logged event of its kind. */
  readonly isFirst: boolean
  /** How many events of this kind were left out since the last logged one. */
  readonly leftOut: number
}

/**
 * Limits log lines to one event of each kind a minute, for the 100 latest kinds.
 * @returns a function to be called at each event. It returns `undefined` when the event is to be left out
 */
export function onceAMinute(clock: Clock): (kind: string) => Occurrence | undefined {
  const occurrences = lastUsed<{ readonly at: number; leftOut: number }>(maxKinds)
  return (kind) => {
    const now = clock.uptime()
    const last = occurrences.get(kind)
    if (last && now - last.at < pauseMs) {
      last.leftOut++
      return undefined
    }
    occurrences.set(kind, { at: now, leftOut: 0 })
    return { isFirst: last === undefined, leftOut: last?.leftOut ?? 0 }
  }
}

/**
 * Wraps a log so that a store that does not answer (`store_unavailable`) or takes no job fills at most one line a minute for
 * each kind of error, however many requests and steps fail because of it. The first line has the error with its stack. Later
 * lines say how often the error has occurred since the line before. Every other line is logged each time.
 */
export function tellOnceAMinute(log: Log, clock: Clock): Log {
  const occurrence = onceAMinute(clock)

  function tell(message: string, error: GenerationError, fields: LogFields): void {
    const { message: what, cause } = error
    const now = occurrence(`${what} ${codeOf(cause)}`)
    if (!now) return
    if (now.isFirst) return log.error(`${message} ${what}`, { ...fields, cause })
    const { leftOut } = now
    log.error(
      `${message} ${what} This has happened ${leftOut + 1} times since the last line about it: ${shortText(cause)}`,
      { ...fields, cause: undefined, leftOut },
    )
  }

  return {
    ...log,
    error(message, fields) {
      const cause = fields?.cause
      const isOfStore = cause instanceof GenerationError && cause.code === 'store_unavailable'
      if (isOfStore || isMalformedJob(cause)) tell(message, cause, fields ?? {})
      else log.error(message, fields)
    },
  }
}

/**
 * Errors with the same name and codes are of one kind. Messages are not compared, because they may differ each time.
 */
function codeOf(fault: unknown): string {
  const { name, code, errcode } = (fault ?? {}) as Record<'name' | 'code' | 'errcode', unknown>
  return [name, code, errcode].map(String).join(' ')
}
