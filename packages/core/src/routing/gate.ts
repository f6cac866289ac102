import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import type { Provider } from '../contracts/provider.ts'
import { onceAMinute } from '../pacing/once-a-minute.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { type Breaker, circuitBreaker } from './breaker.ts'
import { type Shortage, shortageIn } from '../addresses/never-connected.ts'

const defaultMaxConcurrentJobs = 100
const defaultCallTimeoutMs = 60_000

/**
 * How many jobs of a provider a sweep takes up at a time. Without a limit, a start with a thousand jobs would flood it.
 */
const maxTakenUp = 20
/** After this many milliseconds, a job that is being taken up loses its place to the next one. */
export const longestTakingUpMs = 5000
/** How many milliseconds a step may take in addition to its call to the provider, in case the store is slow. */
const beyondCallMs = 60_000

/** What limits the calls to one provider. Each provider has one gate, however many models and routes lead to it. */
export interface Gate {
  readonly breaker: Breaker
  /** The only part that all gates of a service share. */
  readonly shortage: ShortageWatch
  /** For steps: at most `maxConcurrentJobs` of the provider at a time. */
  readonly steps: Lane
  /** For jobs that a sweep takes up. */
  readonly takingUp: Lane
  /** How long one call to the provider for a job of this model may take, in milliseconds. */
  callTimeoutMsOf(modelId: string): number
}

export function providerGate(provider: Provider, clock: Clock, log: Log, shortage: ShortageWatch): Gate {
  const {
    name,
    maxConcurrentJobs = defaultMaxConcurrentJobs,
    callTimeoutMs = defaultCallTimeoutMs,
  } = provider
  const longestCallMs = Math.max(callTimeoutMs, ...provider.models.map((model) => model.callTimeoutMs ?? 0))
  const breaker = circuitBreaker(clock, (openMs) =>
    log.warn(
      openMs === undefined
        ? `Provider ${name} answers again and gets new jobs.`
        : `Provider ${name} is in trouble and gets no new jobs for ${openMs / 1000} s.`,
      { provider: name },
    ),
  )
  return {
    breaker: {
      pauseMs: () => Math.max(shortage.pauseMs(), breaker.pauseMs()),
      isOpen: () => shortage.pauseMs() > 0 || breaker.isOpen(),
      knowsTasks: breaker.knowsTasks,
      begin: (kind, job) =>
        kind === 'submit' && shortage.pauseMs() > 0 ? undefined : breaker.begin(kind, job),
    },
    shortage,
    steps: lane(clock, maxConcurrentJobs, longestCallMs + beyondCallMs),
    takingUp: lane(clock, maxTakenUp, longestTakingUpMs),
    callTimeoutMsOf: (modelId) =>
      provider.models.find(({ id }) => id === modelId)?.callTimeoutMs ?? callTimeoutMs,
  }
}

const shortagePauseMs = 5000

const inWords: Record<Shortage, string> = {
  EMFILE: 'This process has run out of file descriptors',
  ENFILE: 'This machine has run out of file descriptors',
  ENOMEM: 'This machine has run out of memory',
  ENOBUFS: 'This machine has run out of memory for sockets',
}

/** Stops the submission of new jobs while this process lacks the file descriptors or the memory to reach providers. */
interface ShortageWatch {
  /** For how many milliseconds no new job may be submitted to any provider; 0 when one may be submitted now. */
  pauseMs(): number
  /**
   * Begins or prolongs the pause if the error of a call shows such a shortage.
   * @returns whether it does; then the error says nothing about the provider
   */
  notice(error: unknown): boolean
}

/** Makes a watch that pauses for 5 seconds after each such error, and writes to the log at most once a minute. */
export function shortageWatch(clock: Clock, log: Log): ShortageWatch {
  const occurrence = onceAMinute(clock)
  let pausedUntil = 0

  return {
    pauseMs: () => Math.max(0, pausedUntil - clock.uptime()),
    notice(error) {
      const shortage = shortageIn(error)
      if (!shortage) return false
      pausedUntil = clock.uptime() + shortagePauseMs
      if (occurrence('shortage'))
        log.warn(
          `${inWords[shortage]} (${shortage}): no new jobs are submitted for ${shortagePauseMs / 1000} s.`,
        )
      return true
    },
  }
}
