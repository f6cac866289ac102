import type { Clock } from '../contracts/clock.ts'
import type { Log } from '../contracts/log.ts'
import type { Provider } from '../contracts/provider.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { type Breaker, circuitBreaker } from './breaker.ts'
import type { ShortageWatch } from './shortage-watch.ts'

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

/** Makes the gate of a provider. */
export function providerGate(provider: Provider, clock: Clock, log: Log, shortage: ShortageWatch): Gate {
  const {
    name,
    maxConcurrentJobs = defaultMaxConcurrentJobs,
    callTimeoutMs = defaultCallTimeoutMs,
  } = provider
  const ofModels = new Map(provider.models.map((model) => [model.id, model.callTimeoutMs]))
  const longestCallMs = Math.max(callTimeoutMs, ...[...ofModels.values()].map((ms) => ms ?? 0))
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
    callTimeoutMsOf: (modelId) => ofModels.get(modelId) ?? callTimeoutMs,
  }
}
