import type { ServiceParts } from '../contracts/service-parts.ts'
import type { Provider } from '../contracts/provider.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { Gate } from '../routing/gate.ts'
import type { WaitingRoom } from '../sharing/waiting-room.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'

/** The state of one process with its service, as plain data without secrets. Durations are in milliseconds. */
export interface ServiceHealth {
  /**
   * `closing`: `close` has been called. `unavailable`: the job store can't be reached, so every request fails.
   * `degraded`: requests are served, but a provider gets no new jobs. `ok`: none of these. A load balancer should send
   * requests while it is `ok` or `degraded`.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable' | 'closing'
  /** The job store, as it answered during the last second. */
  readonly store: {
    /** Whether the store has answered within 2 seconds. */
    readonly isReachable: boolean
    /** How long the store has taken to list the due jobs, or to fail. */
    readonly latencyMs: number
  }
  /**
   * The jobs in the store whose next step could begin now, whichever process takes it. Absent when the store is not
   * reachable.
   */
  readonly due?: {
    /** The number of these jobs. 100 stands for 100 or more. */
    readonly count: number
    /** How long the first of these jobs has waited; 0 when there are none. */
    readonly oldestLagMs: number
  }
  /**
   * The clock of the service. While it is not believed, nothing is deleted because it has expired: in the first hour of a
   * process, and for an hour after the clock was set. A process that has not seen the clock being set hides all the same what
   * has expired by it.
   */
  readonly clock: {
    /** Whether expired jobs and uploads are deleted by it. */
    readonly isBelieved: boolean
    /** The instant at which it will be believed, if it is not set again. Absent while it is believed. */
    readonly believedAt?: number
  }
  /** How many calls of `waitFor` wait in this process. */
  readonly waiters: number
  /** How many steps of jobs this process is taking. */
  readonly stepsUnderWay: number
  /** Every provider once. */
  readonly providers: readonly ProviderHealth[]
}

/** The state of one provider, as this process sees it. */
export interface ProviderHealth {
  /** The provider's name. */
  readonly name: string
  /**
   * `open` while the provider gets no new jobs, because too many calls to it have failed or because this process lacks
   * file descriptors or memory for calls. From time to time one job is tried nevertheless.
   */
  readonly breaker: 'closed' | 'open'
  /** How many steps are under way, at most the provider's `maxConcurrentJobs`. */
  readonly stepsUnderWay: number
  /** How many steps wait in this process because `maxConcurrentJobs` steps are under way. */
  readonly stepsWaiting: number
}

/** How long the store may take to answer, in milliseconds. */
const limitMs = 2000
/** For how long the store's answer is used again, in milliseconds. */
const freshMs = 1000
const maxCounted = 100

/** What the health of a service is read from. */
export interface HealthContext extends Pick<ServiceParts, 'clock' | 'closedStore' | 'closing' | 'jobs'> {
  readonly waiters: WaitingRoom
  readonly advancer: JobAdvancer
  readonly gates: ReadonlyMap<Provider, Gate>
  /** See `ClockSteps.believedAt`. */
  readonly believedAt: () => number | undefined
}

/**
 * Makes the service's `health`. The store is read at most once a second, however often this is called.
 * @returns a function that never rejects
 */
export function healthReader(context: HealthContext): () => Promise<ServiceHealth> {
  const { jobs, clock, closing, closedStore, waiters, advancer, gates } = context
  let latest: Promise<Pick<ServiceHealth, 'store' | 'due'>> | undefined
  let freshUntil = 0

  async function readDue(): Promise<NonNullable<ServiceHealth['due']>> {
    const now = clock.now()
    const due = await jobs.due(now, maxCounted)
    const [oldest] = due
    const job = oldest === undefined ? undefined : await jobs.get(oldest)
    const waitsSince = Math.max(job?.dueAt ?? now, job?.claim?.until ?? 0)
    return { count: due.length, oldestLagMs: Math.max(0, now - waitsSince) }
  }

  async function readStore(): Promise<Pick<ServiceHealth, 'store' | 'due'>> {
    const from = clock.uptime()
    const due = await withinLimit(clock, limitMs, 'job store', readDue, closedStore).catch(() => undefined)
    const end = clock.uptime()
    freshUntil = end + freshMs
    const store = { isReachable: due !== undefined, latencyMs: end - from }
    return due ? { store, due } : { store }
  }

  function knownStore(): Promise<Pick<ServiceHealth, 'store' | 'due'>> {
    const now = clock.uptime()
    if (latest && now < freshUntil) return latest
    // In a worker, a read whose request is over never ends. So the next read begins at this time in any case.
    freshUntil = now + limitMs + freshMs
    return (latest = readStore())
  }

  return async () => {
    const stored = await knownStore()
    const providers = Array.from(gates, ([{ name }, { breaker, steps }]): ProviderHealth => {
      const { running, waiting } = steps.counts()
      return {
        name,
        breaker: breaker.isOpen() ? 'open' : 'closed',
        stepsUnderWay: running,
        stepsWaiting: waiting,
      }
    })
    const isDegraded = providers.some(({ breaker }) => breaker === 'open')
    const open = isDegraded ? 'degraded' : 'ok'
    const believedAt = context.believedAt()
    return {
      status: closing.hasEnded ? 'closing' : stored.store.isReachable ? open : 'unavailable',
      ...stored,
      clock: { isBelieved: believedAt === undefined, ...(believedAt !== undefined && { believedAt }) },
      waiters: waiters.count(),
      stepsUnderWay: advancer.underWay().length,
      providers,
    }
  }
}
