import {
  callable,
  checkOptions,
  type OptionTable,
  type PluginHost,
  type PluginRoute,
  type RouteKeys,
  type ServicePlugin,
} from '@genmount/core'
import { described, operatorOpenapi } from '../openapi/described.ts'
import { actRoutes } from '../routes/act-routes.ts'
import { auditRoute } from '../routes/audit-route.ts'
import { budgetsRoute } from '../routes/budgets-route.ts'
import { grantRoutes } from '../routes/grant-routes.ts'
import { keysRoute } from '../routes/keys-route.ts'
import { usageRoute } from '../routes/usage-route.ts'
import { webhookTestRoute } from '../routes/webhook-test-route.ts'
import { jobRoutes } from '../routes/job-routes.ts'
import { overviewRoute } from '../routes/overview-route.ts'

/** The options of {@link operator}. */
export interface OperatorOptions {
  /**
   * Knows the keys of the operators: it returns the operator's name for a bearer token, and nothing for another token. The names
   * stand in the audit log. Give it keys that open nothing else.
   * @example apiKeys({ maria: process.env.OPERATOR_KEY }) // of @genmount/v1-interface
   */
  readonly authenticate: RouteKeys
}

const table = {
  authenticate: callable<RouteKeys>(),
} satisfies OptionTable<OperatorOptions>

/**
 * Adds routes below `/v1/operator` to the /v1 interface, by which operators see the jobs of all owners, and cancel, delete, retry
 * or deliver them again. Only the operators' own keys open them. Each act needs a reason, and stands in the audit log of the job
 * store. A route whose feature the service lacks answers `not_supported`.
 * @throws TypeError when `authenticate` is no function
 * @example
 * const authenticate = apiKeys({ maria: process.env.OPERATOR_KEY })
 * const service = createGenerationService({ providers, backend, plugins: [operator({ authenticate })] })
 */
export function operator(options: OperatorOptions): ServicePlugin {
  const { authenticate } = checkOptions('operator', options, table)
  return {
    name: 'operator',
    attach: (host) => ({
      routes: routesOf(host).map((route) => ({ ...described(route), authenticate })),
      openapi: operatorOpenapi,
    }),
  }
}

function routesOf(host: PluginHost): readonly PluginRoute[] {
  return [
    overviewRoute(host),
    ...jobRoutes(host),
    ...actRoutes(host),
    usageRoute(host),
    budgetsRoute(host),
    ...grantRoutes(host),
    keysRoute(host),
    webhookTestRoute(host),
    auditRoute(host),
  ]
}
