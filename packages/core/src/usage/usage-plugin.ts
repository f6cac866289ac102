import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { type CostPage, type CostRequest, readCosts } from './read-costs.ts'
import { readUsage, type ServiceUsage, type UsageRequest } from './read-usage.ts'
import { usageRoute } from './usage-route.ts'

/** What the plugin `usage` adds to the service. */
export interface UsageMethods {
  /**
   * Reads the costs of the jobs of an owner, or of all owners, in pages. The ledger outlives the jobs. An entry with an
   * unknown cost has no `costUsd`, so that it does not look like 0.
   * @example const { entries, next } = await service.costs({ owner: 'alice', from, to })
   * @throws TypeError when the request is wrong; GenerationError `store_unavailable`, or `shutting_down` after `close`
   */
  costs(request: CostRequest): Promise<CostPage>

  /**
   * Adds up the ledger for a bill or a report: how many jobs of an owner, or of all owners, ended in a time, with how
   * many outputs, and what they have cost, in all and in groups by owner, UTC day, model and key, in pages. The time that it
   * takes grows with the number of days, models and keys, and not with that of the jobs; a day that is only partly in the
   * time of the request is added up job by job.
   * @example const { costUsd, groups } = await service.usage({ owner: 'alice', from, to, groupBy: ['day', 'model'] })
   * @throws what `costs` throws, and GenerationError `not_supported` when the job store has no `dailyUsage`
   */
  usage(request: UsageRequest): Promise<ServiceUsage>
}

/**
 * Reads what jobs have cost: it adds `costs` and `usage` to the service, and `GET /v1/usage` to the /v1 interface, by which
 * each owner sees the own sums. The backend keeps the ledger with or without it.
 * @throws TypeError when the job store has no `costs`
 * @example
 * const service = createGenerationService({ providers, backend, plugins: [usage()] })
 * const { costUsd } = await service.usage({ owner: 'alice', from, to })
 */
export function usage(): ServicePlugin<UsageMethods> {
  return {
    name: 'usage',
    attach({ jobs, clock, start }) {
      if (!jobs.costs)
        throw new TypeError('usage needs a backend with a ledger: the job store must have costs().')
      const ledger = { costs: jobs.costs }
      const sums = jobs.dailyUsage && { ...jobs, dailyUsage: jobs.dailyUsage }
      return {
        routes: sums && [usageRoute(sums, clock, start)],
        methods: {
          async costs(request) {
            start()
            return readCosts(ledger, request)
          },
          async usage(request) {
            start()
            if (!sums) throw new GenerationError('not_supported', 'The job store does not add up its ledger.')
            return readUsage(sums, request)
          },
        },
      }
    },
  }
}
