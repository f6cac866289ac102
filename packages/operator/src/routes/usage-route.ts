import type { PluginHost, PluginRoute } from '@genmount/core'
import { usageOperation, usageReply } from '@genmount/core/usage'
import { needed, serviceOf, startUnlessClosing } from '../plugin/service-of.ts'

const path = '/v1/operator/usage'

/** `GET /v1/operator/usage`: as `GET /v1/usage`, over all owners. */
export function usageRoute(host: PluginHost): PluginRoute {
  return {
    method: 'GET',
    path,
    operation: () => usageOperation(true),
    async answer(request) {
      startUnlessClosing(host)
      needed(serviceOf(host).usage, 'This service is without the plugin usage')
      const { dailyUsage, spending } = host.jobs
      const sums = needed(dailyUsage, 'The job store does not add up its ledger')
      const jobs = { dailyUsage: sums, ...(spending && { spending }) }
      return usageReply({ jobs, clock: host.clock }, { ...request, owner: undefined, path })
    },
  }
}
