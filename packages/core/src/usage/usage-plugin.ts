import type { ServicePlugin } from '../contracts/service-plugin.ts'
import {
  type CostPage,
  type CostRequest,
  readCosts,
  readUsage,
  type ServiceUsage,
  type UsageRequest,
} from './read-costs.ts'

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
   * many outputs, and what they have cost, by model. A month with a million jobs takes seconds.
   * @example const { costUsd, models } = await service.usage({ owner: 'alice', from, to })
   * @throws what `costs` throws
   */
  usage(request: UsageRequest): Promise<ServiceUsage>
}

/**
 * Reads what jobs have cost: it adds `costs` and `usage` to the service. The backend keeps the ledger with or without it.
 * @throws TypeError when the job store has no `costs`
 * @example
 * const service = createGenerationService({ providers, backend, plugins: [usage()] })
 * const { costUsd } = await service.usage({ owner: 'alice', from, to })
 */
export function usage(): ServicePlugin<UsageMethods> {
  return {
    name: 'usage',
    attach({ jobs, start }) {
      if (!jobs.costs)
        throw new TypeError('usage needs a backend with a ledger: the job store must have costs().')
      const ledger = { costs: jobs.costs }
      return {
        methods: {
          async costs(request) {
            start()
            return readCosts(ledger, request)
          },
          async usage(request) {
            start()
            return readUsage(ledger, request)
          },
        },
      }
    },
  }
}
