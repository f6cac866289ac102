import { instantText, type PluginHost, type PluginRoute } from '@genmount/core'
import { serviceOf } from '../plugin/service-of.ts'

/** `GET /v1/operator`: how this process and its providers are, and what the service has. */
export function overviewRoute(host: PluginHost): PluginRoute {
  return {
    method: 'GET',
    path: '/v1/operator',
    async answer({ owner: operator }) {
      const service = serviceOf(host)
      const { status, store, due, clock, waiters, stepsUnderWay, providers } = await service.health()
      const { jobs } = host
      return {
        json: {
          object: 'operator_overview',
          operator,
          as_of: instantText(host.clock.now()),
          status,
          store: { is_reachable: store.isReachable, latency_ms: store.latencyMs },
          due: due ? { count: due.count, oldest_lag_ms: due.oldestLagMs } : null,
          clock: {
            is_believed: clock.isBelieved,
            believed_at: clock.believedAt === undefined ? null : instantText(clock.believedAt),
          },
          waiters,
          steps_under_way: stepsUnderWay,
          providers: providers.map((provider) => ({
            name: provider.name,
            breaker: provider.breaker,
            steps_under_way: provider.stepsUnderWay,
            steps_waiting: provider.stepsWaiting,
          })),
          features: {
            usage: service.usage !== undefined && jobs.dailyUsage !== undefined,
            grants: service.grants !== undefined && jobs.grants !== undefined,
            webhooks: service.deliverAgain !== undefined,
            audit: jobs.audit !== undefined && jobs.auditEntries !== undefined,
            list: jobs.listAll !== undefined,
            task_ids: jobs.findByTaskId !== undefined,
          },
          models: host.models.map(({ id }) => id),
        },
      }
    },
  }
}
