import { LRUCache } from 'lru-cache'
import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { shortText } from '../text/short-text.ts'

const pauseMs = 60_000
const maxKinds = 100

/**
 * Wraps a log so that a store that does not answer (`store_unavailable`) fills at most one line a minute for each kind
 * of fault, however many requests and steps fail because of it. The first line has the fault with its stack. Later
 * lines say how many times the fault has occurred since the line before. Everything else is logged each time.
 */
export function tellOnceAMinute(log: Log, clock: Clock): Log {
  const told = new LRUCache<string, { readonly at: number; times: number }>({ max: maxKinds })

  function tell(message: string, error: GenerationError): void {
    const { message: what, cause } = error
    const kind = `${what} ${codeOf(cause)}`
    const now = clock.uptime()
    const last = told.get(kind)
    if (last) last.times++
    if (last && now - last.at < pauseMs) return
    told.set(kind, { at: now, times: 0 })
    if (!last) return log.error(`${message} ${what}`, cause)
    log.error(
      `${message} ${what} This has happened ${last.times} times since the last line about it: ${shortText(cause)}`,
    )
  }

  return {
    warn: (message) => log.warn(message),
    error(message, ...rest) {
      const [cause] = rest
      if (cause instanceof GenerationError && cause.code === 'store_unavailable') tell(message, cause)
      else log.error(message, ...rest)
    },
  }
}

/**
 * Faults with the same name and codes are of one kind. Messages are not compared, because they may differ each time.
 */
function codeOf(fault: unknown): string {
  const { name, code, errcode } = (fault ?? {}) as Record<'name' | 'code' | 'errcode', unknown>
  return [name, code, errcode].map(String).join(' ')
}
