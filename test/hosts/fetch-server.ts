/** Serves the fetch handler on Bun or Deno, under the path in its argument, with the service of the suite. */
import process from 'node:process'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { serveOnRuntime } from '../processes/serve-on-runtime.ts'

const { service, options, keys } = httpSuiteService()
const mountPath = process.argv[2] || undefined
serveOnRuntime(
  toFetchHandler(service, {
    ...options,
    mountPath,
    authenticate: apiKeys(keys),
    openapi: openapiDocument(),
  }),
)
