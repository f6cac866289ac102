import type { ProviderHealth, ServiceHealth } from '../contracts/plugin/service-health.ts'
import type { ServiceParts } from '../contracts/service-parts.ts'
import type { Provider } from '../contracts/provider.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import type { Gate } from '../routing/gate.ts'
import type { WaitingRoom } from '../sharing/waiting-room.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'

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
