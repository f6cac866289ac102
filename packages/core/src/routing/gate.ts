import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import type { Provider } from '../contracts/provider.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { type Breaker, circuitBreaker } from './breaker.ts'
import type { ShortageWatch } from './shortage-watch.ts'

const defaultMaxConcurrentCalls = 100
const defaultCallTimeoutMs = 60_000

/** How many of its jobs a sweep takes up at a time, so that a start with a thousand of them floods no provider. */
const maxTakenUp = 20
const fewSuspects = 5
/** What hangs for longer gives way to the next. */
export const longestTakingUpMs = 5000
/** What a step may take beside its call, should the store be slow. */
const beyondCallMs = 60_000

/** What stands before a provider, however many models lead to it. */
export interface Gate {
  readonly breaker: Breaker
  /** Shared by all gates of a service, unlike the rest. */
  readonly shortage: ShortageWatch
  readonly steps: Lane
  readonly takingUp: Lane
  /** For jobs during whose steps several processes have died: a few at a time, then one. */
  readonly suspects: { readonly few: Lane; readonly one: Lane }
  readonly callTimeoutMs: number
}

export function providerGate(provider: Provider, clock: Clock, log: Log, shortage: ShortageWatch): Gate {
  const {
    name,
    maxConcurrentCalls = defaultMaxConcurrentCalls,
    callTimeoutMs = defaultCallTimeoutMs,
  } = provider
  const breaker = circuitBreaker(clock, (openMs) =>
    log.warn(
      openMs === undefined
        ? `Provider ${name} answers again and is given new jobs.`
        : `Provider ${name} is in trouble and is given no new jobs for ${openMs / 1000} s.`,
    ),
  )
  return {
    breaker: {
      pauseMs: () => Math.max(shortage.pauseMs(), breaker.pauseMs()),
      begin: (kind, job) =>
        kind === 'submit' && shortage.pauseMs() > 0 ? undefined : breaker.begin(kind, job),
    },
    shortage,
    steps: lane(clock, maxConcurrentCalls, callTimeoutMs + beyondCallMs),
    takingUp: lane(clock, maxTakenUp, longestTakingUpMs),
    suspects: {
      few: lane(clock, fewSuspects, longestTakingUpMs),
      one: lane(clock, 1, longestTakingUpMs),
    },
    callTimeoutMs,
  }
}
